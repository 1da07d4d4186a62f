"""In another style: apply_along_axis."""

import numpy as np


def one(row):
    m = row.max()
    if m == -np.inf:
        return np.zeros_like(row)
    e = np.exp(row - m)
    return e / e.sum()


def softmax(x, axis=-1):
    if x.dtype.kind != "f":
        x = x.astype(np.float64)
    return np.apply_along_axis(one, axis, x)
