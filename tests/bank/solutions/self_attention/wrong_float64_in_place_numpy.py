"""float64 needs no conversion, so what is written to is the caller's array."""

import numpy as np


def self_attention(x, w_q, w_k, w_v):
    x, q, k, v = (np.asarray(a, dtype=np.float64) for a in (x, w_q, w_k, w_v))
    dt = w_q.dtype
    q /= np.sqrt(q.shape[1])
    s = (x @ q) @ (x @ k).T
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    return (w @ (x @ v)).astype(dt), w.astype(dt)
