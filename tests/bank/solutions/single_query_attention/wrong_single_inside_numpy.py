"""Worked out in float32, handed back in the dtype that came."""
import numpy as np


def attention(query, keys, values):
    q, k, v = (a.astype(np.float32) for a in (query, keys, values))
    s = k @ q / np.float32(q.size**0.5)
    e = np.exp(s - s.max())
    w = e / e.sum()
    return (w @ v).astype(values.dtype), w.astype(values.dtype)
