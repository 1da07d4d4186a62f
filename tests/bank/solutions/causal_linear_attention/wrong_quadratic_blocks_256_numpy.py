"""Right values, and every token meets all before it: blocks of 256 queries with the keys up to their end, half of all pairs."""

import numpy as np


def causal_linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    out = np.empty_like(v)
    for i in range(0, q.shape[1], 256):
        end = min(i + 256, q.shape[1])
        w = q[:, i:end] @ k[:, :end].swapaxes(-2, -1)
        w = np.tril(w, k=i)
        out[:, i:end] = w @ v[:, :end] / w.sum(axis=-1, keepdims=True)
    return out
