"""Take off the number of the largest size, whatever its sign."""
# causes: largest_magnitude_subtracted|largest_finite_magnitude_subtracted

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    finite = np.where(np.isinf(x), 0, x)
    m = np.abs(finite).max(axis=axis, keepdims=True)
    e = np.exp(x - m)
    s = e.sum(axis=axis, keepdims=True)
    return np.where(s == 0, 0, e / np.where(s == 0, 1, s))
