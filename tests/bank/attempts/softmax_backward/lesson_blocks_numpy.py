"""Rows in blocks of a few thousand."""
# causes: none

import numpy as np


def softmax_backward(weights, grad_weights):
    n = weights.shape[-1]
    w, g = weights.reshape(-1, n), grad_weights.reshape(-1, n)
    parts = []
    for start in range(0, len(w), 4096):
        a, b = w[start : start + 4096], g[start : start + 4096]
        parts.append(a * (b - (a * b).sum(1, keepdims=True)))
    return np.concatenate(parts).reshape(weights.shape)
