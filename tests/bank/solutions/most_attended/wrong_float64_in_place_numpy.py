"""float64 needs no conversion, so what is written to is the caller's array."""

import numpy as np


def most_attended(x, k):
    t = x.dtype if x.dtype.kind == "f" else np.dtype(float)
    y = np.asarray(x, dtype=float)
    y /= x.shape[1] ** 0.25
    s = y @ y.T
    e = np.exp(s - s.max(1, keepdims=True))
    w = (e / e.sum(1, keepdims=True)).astype(t)
    i = np.argsort(-w, axis=1, kind="stable")[:, :k]
    return i, np.take_along_axis(w, i, 1)
