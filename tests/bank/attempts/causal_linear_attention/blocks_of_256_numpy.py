"""Blocks of 256, as many as fit."""
# causes: last_block_dropped

import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q, k, v):
    (B, n, D), a, b = q.shape, phi(q), phi(k)
    out = np.zeros_like(v)
    past, keys = np.zeros((B, D, v.shape[2]), v.dtype), np.zeros((B, 1, D), v.dtype)
    for block in range(n // 256):
        part = slice(256 * block, 256 * block + 256)
        x, y, z = a[:, part], b[:, part], v[:, part]
        pairs = np.tril(np.matmul(x, np.swapaxes(y, 1, 2)))
        above = np.matmul(pairs, z) + np.matmul(x, past)
        below = pairs.sum(axis=2, keepdims=True) + (x * keys).sum(axis=2, keepdims=True)
        out[:, part] = above / below
        past, keys = past + np.matmul(np.swapaxes(y, 1, 2), z), keys + y.sum(axis=1, keepdims=True)
    return out
