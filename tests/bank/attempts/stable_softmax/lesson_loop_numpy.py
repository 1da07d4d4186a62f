"""Bring the axis to the end and treat one row at a time."""
# causes: none

import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    moved = np.moveaxis(x, axis, -1)
    rows = moved.reshape(-1, moved.shape[-1])
    out = np.zeros(rows.shape)
    for i in range(len(rows)):
        m = rows[i].max()
        if m == -np.inf:
            continue
        e = np.exp(rows[i] - m)
        out[i] = e / e.sum()
    return np.moveaxis(out.reshape(moved.shape), -1, axis)
