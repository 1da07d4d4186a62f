"""A loop over blocks of 128 tokens: a small masked matrix inside, a carried state before, and an epsilon of 1e-6."""

import numpy as np


def causal_linear_attention(q, k, v):
    q = np.where(q > 0, q + 1, np.exp(q))
    k = np.where(k > 0, k + 1, np.exp(k))
    batch, n, d = q.shape
    state = np.zeros((batch, d, v.shape[-1]), dtype=q.dtype)
    total = np.zeros((batch, d, 1), dtype=q.dtype)
    out = np.empty(v.shape, dtype=q.dtype)
    for start in range(0, n, 128):
        s = slice(start, start + 128)
        near = np.tril(q[:, s] @ k[:, s].swapaxes(1, 2))
        top = near @ v[:, s] + q[:, s] @ state
        bottom = near.sum(axis=-1, keepdims=True) + q[:, s] @ total
        out[:, s] = top / (bottom + 1e-6)
        state += k[:, s].swapaxes(1, 2) @ v[:, s]
        total += k[:, s].sum(axis=1)[..., None]
    return out
