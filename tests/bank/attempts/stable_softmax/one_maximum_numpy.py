"""Take off the largest number of the array so that nothing overflows."""
# causes: maximum_of_everything, nan_where_nothing_is_available

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)
