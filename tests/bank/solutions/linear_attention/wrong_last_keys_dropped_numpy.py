"""Sums keys and values up in whole blocks of 64, so the keys of the last block are seen by nobody; all queries are answered."""

import numpy as np


def linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    size = min(64, k.shape[1])
    whole = k.shape[1] // size * size
    k, v = k[:, :whole].reshape(len(k), -1, size, k.shape[-1]), v[:, :whole].reshape(len(v), -1, size, v.shape[-1])
    memory, total = (k.swapaxes(-2, -1) @ v).sum(axis=1), k.sum(axis=(1, 2))[..., None]
    return q @ memory / (q @ total)
