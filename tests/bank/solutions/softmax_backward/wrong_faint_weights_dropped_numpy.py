import numpy as np


def softmax_backward(weights, grad_weights):
    dot = (weights * grad_weights).sum(-1, keepdims=True)
    return np.where(weights < 1e-7, 0, weights * (grad_weights - dot))
