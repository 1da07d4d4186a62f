"""Weights are rounded to four decimals before sorting, so small ones tie that do not."""
import numpy as np


def most_attended(x, k):
    x = np.array(x, dtype=x.dtype if x.dtype.kind == "f" else float)
    s = x @ x.T / x.dtype.type(x.shape[1] ** 0.5)
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    i = np.argsort(-np.round(w, 4), axis=1, kind="stable")[:, :k]
    return i, np.take_along_axis(w, i, 1)
