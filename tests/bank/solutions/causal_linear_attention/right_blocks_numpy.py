"""In another style: blocks."""

import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q, k, v):
    a, b = phi(q), phi(k)
    B, n, D = a.shape
    S = np.zeros((B, D, v.shape[2]), a.dtype)
    z = np.zeros((B, D, 1), a.dtype)
    out = np.empty((B, n, v.shape[2]), a.dtype)
    for i in range(0, n, 256):
        c = slice(i, i + 256)
        w = np.tril(a[:, c] @ b[:, c].swapaxes(1, 2))
        out[:, c] = (w @ v[:, c] + a[:, c] @ S) / (w.sum(-1, keepdims=True) + a[:, c] @ z)
        S += b[:, c].swapaxes(1, 2) @ v[:, c]
        z += b[:, c].sum(1)[..., None]
    return out
