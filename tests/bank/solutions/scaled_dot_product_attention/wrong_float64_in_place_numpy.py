"""float64 needs no conversion, so what is written to is the caller's array."""

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    t = q.dtype
    q = np.asarray(q, dtype=float)
    q *= q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ np.moveaxis(k, -1, -2)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return (w @ v).astype(t), w.astype(t)
