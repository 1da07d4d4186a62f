"""Right values, and every query meets every key: blocks of 64 queries fit into memory, and take far too long."""

import numpy as np


def linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    kt = np.ascontiguousarray(k.swapaxes(-2, -1))
    out = np.empty_like(v)
    for i in range(0, q.shape[1], 64):
        w = q[:, i : i + 64] @ kt
        out[:, i : i + 64] = w @ v / w.sum(axis=-1, keepdims=True)
    return out
