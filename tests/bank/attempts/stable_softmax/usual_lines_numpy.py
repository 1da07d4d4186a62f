"""These are the three lines of every tutorial."""
# causes: nan_where_nothing_is_available

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
