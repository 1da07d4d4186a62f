"""Normalise each row to be safe, and apply the matrix."""
# causes: divided_by_the_sum, row_by_row

import numpy as np


def softmax_backward(weights, grad_weights):
    n = weights.shape[-1]
    rows = []
    for w, g in zip(weights.reshape(-1, n), grad_weights.reshape(-1, n)):
        w = w / w.sum()
        rows.append(w * g - w * np.dot(w, g))
    return np.array(rows).reshape(weights.shape)
