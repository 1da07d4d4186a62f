"""Subtract the maximum from x to save memory."""
# causes: written_in_place, nan_where_nothing_is_available

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
