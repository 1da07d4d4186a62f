"""Take off the largest number of the array, and never divide by zero."""
# causes: maximum_of_everything

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    top = np.max(x)
    if np.isinf(top):
        return np.zeros_like(x)
    e = np.exp(x - top)
    s = e.sum(axis=axis, keepdims=True)
    return np.divide(e, s, out=np.zeros_like(e), where=s != 0)
