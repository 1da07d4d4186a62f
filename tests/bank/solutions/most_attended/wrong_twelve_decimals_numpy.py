"""Weights are compared with twelve decimals."""

import numpy as np


def most_attended(x, k):
    y = x if x.dtype.kind == "f" else x.astype(float)
    s = y @ y.T / y.dtype.type(np.sqrt(x.shape[1]))
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    i = np.argsort(-np.round(w, 12), axis=1, kind="stable")[:, :k]
    return i, np.take_along_axis(w, i, 1)
