"""float64 needs no conversion, so what is written to is the caller's array."""

import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        m = np.asarray(mask, dtype=float)
        m += s
        s = m
    e = np.exp(s - s.max(1, keepdims=True))
    w = (e / e.sum(1, keepdims=True)).astype(x.dtype)
    return w @ v, w
