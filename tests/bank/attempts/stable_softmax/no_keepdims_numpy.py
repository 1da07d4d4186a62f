"""Subtract the maximum along the axis, then divide by the sum along it."""
# causes: axis_of_the_maximum_lost|axis_of_the_sum_lost, nan_where_nothing_is_available

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)
