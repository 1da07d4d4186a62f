# the result has the memory layout of the input, so its flattened rows may be a copy and what is written there is lost
import numpy as np


def softmax_backward(weights, grad_weights):
    n = weights.shape[-1]
    table, grads = weights.reshape(-1, n), grad_weights.reshape(-1, n)
    result = np.zeros_like(weights)
    rows = result.reshape(-1, n)
    share = table * grads
    rows[:] = share - table * share.sum(axis=-1, keepdims=True)
    return result
