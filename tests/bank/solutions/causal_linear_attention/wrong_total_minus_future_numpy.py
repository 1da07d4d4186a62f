"""Subtracts the future from the total, which large entries of the future do not survive in float32."""

import numpy as np


def causal_linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    kv = k[..., None] * v[:, :, None]
    later = lambda x: np.cumsum(x[:, ::-1], axis=1)[:, ::-1] - x
    memory = kv.sum(axis=1, keepdims=True) - later(kv)
    total = k.sum(axis=1, keepdims=True) - later(k)
    return np.einsum("bnd,bnde->bne", q, memory) / (q * total).sum(axis=-1, keepdims=True)
