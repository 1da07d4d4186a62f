"""float64 needs no conversion, so what is written to is the caller's array."""

import numpy as np


def softmax(x, axis=-1):
    a = np.asarray(x, dtype=float)
    m = a.max(axis=axis, keepdims=True)
    m[np.isneginf(m)] = 0
    a -= m
    np.exp(a, out=a)
    s = a.sum(axis=axis, keepdims=True)
    s[s == 0] = 1
    return (a / s).astype(x.dtype if x.dtype.kind == "f" else float)
