"""A row with a weight of 1 gets no gradient at all."""
import numpy as np


def softmax_backward(weights, grad_weights):
    r = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdims=True))
    sure = (weights == 1).any(-1, keepdims=True)
    return np.where(sure, 0, r).astype(weights.dtype)
