"""Subtract the maximum of each slice, and leave empty slices at zero."""
# causes: none

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    m = np.max(x, axis=axis, keepdims=True)
    m = np.where(np.isinf(m), 0.0, m)
    e = np.exp(x - m)
    s = np.sum(e, axis=axis, keepdims=True)
    return e / np.where(s == 0, 1.0, s)
