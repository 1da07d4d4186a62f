"""First the softmax, then its derivative."""
# causes: softmax_of_the_weights

import numpy as np


def softmax_backward(weights, grad_weights):
    e = np.exp(weights - weights.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    return p * (grad_weights - (p * grad_weights).sum(axis=-1, keepdims=True))
