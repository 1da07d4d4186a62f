"""Wrong: 'A weight of zero gets no gradient', but others do. Weights under the eps of the dtype count as hidden.
Shown by float32 w = [1, 3e-8], g = [0, 1e8]: [-3, 3] expected, the second comes out as 0."""
import numpy as np


def softmax_backward(weights, grad_weights):
    hidden = weights < np.finfo(weights.dtype).eps
    mean = (weights * grad_weights).sum(axis=-1, keepdims=True)
    return np.where(hidden, np.zeros_like(weights), weights * (grad_weights - mean))
