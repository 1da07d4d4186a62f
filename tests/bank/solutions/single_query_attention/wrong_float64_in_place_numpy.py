"""float64 needs no conversion, so what is written to is the caller's array."""

import numpy as np


def attention(query, keys, values):
    q = np.asarray(query, dtype=float)
    q /= np.sqrt(len(q))
    s = keys @ q
    e = np.exp(s - s.max())
    w = e / e.sum()
    return (w @ values).astype(values.dtype), w.astype(values.dtype)
