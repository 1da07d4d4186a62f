"""The only score of a slice gets 1, also where it is not available."""

import numpy as np


def softmax(x, axis=-1):
    y = x if x.dtype.kind == "f" else x.astype(float)
    if y.shape[axis] == 1:
        return np.ones_like(y)
    m = np.max(y, axis=axis, keepdims=True)
    m = np.where(np.isneginf(m), 0, m)
    e = np.exp(y - m)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
