# wrong: while all scores lie within 700 of each other one shift serves all slices; in float32 a slice 150 below the largest score of the array underflows and gets zeros
import numpy as np


def softmax(x, axis=-1):
    x = x.astype(np.float64) if x.dtype.kind in "iu" else x
    top = x.max(axis=axis, keepdims=True)
    if np.isfinite(x).all() and x.max() - x.min() < 700:
        top = np.full_like(top, x.max())
    e = np.exp(x - np.where(np.isneginf(top), np.zeros_like(top), top))
    total = e.sum(axis=axis, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)
