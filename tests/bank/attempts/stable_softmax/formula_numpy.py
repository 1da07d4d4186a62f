"""I write the formula down as it stands."""
# causes: no_maximum_subtracted, nan_where_nothing_is_available

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)
