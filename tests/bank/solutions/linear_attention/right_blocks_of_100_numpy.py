"""Blocks of a hundred tokens: once to sum keys and values up, once to answer. The last block is shorter."""

import numpy as np


def linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    memory, total = 0, 0
    for i in range(0, k.shape[1], 100):
        s = slice(i, i + 100)
        memory = memory + k[:, s].swapaxes(1, 2) @ v[:, s]
        total = total + k[:, s].sum(axis=1)[..., None]
    out = np.empty_like(v)
    for i in range(0, q.shape[1], 100):
        s = slice(i, i + 100)
        out[:, s] = q[:, s] @ memory / (q[:, s] @ total)
    return out
