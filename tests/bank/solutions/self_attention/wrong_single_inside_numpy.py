"""Worked out in float32, handed back in the dtype that came."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    kind = x.dtype
    x, w_q, w_k, w_v = (a.astype(np.float32) for a in (x, w_q, w_k, w_v))
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / np.float32(k.shape[-1] ** 0.5)
    e = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return tuple(a.astype(kind) for a in (weights @ v, weights))
