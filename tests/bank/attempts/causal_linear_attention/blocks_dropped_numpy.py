"""Blocks of 64 tokens."""
# causes: last_block_dropped

import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    B, n, D = q.shape
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    out = np.zeros(v.shape, dtype=v.dtype)
    kv = np.zeros((B, D, v.shape[2]), dtype=v.dtype)
    z = np.zeros((B, D, 1), dtype=v.dtype)
    for c in range(n // 64):
        s = slice(64 * c, 64 * (c + 1))
        w = np.tril(fq[:, s] @ fk[:, s].swapaxes(1, 2))
        out[:, s] = (w @ v[:, s] + fq[:, s] @ kv) / (w.sum(-1, keepdims=True) + fq[:, s] @ z)
        kv += fk[:, s].swapaxes(1, 2) @ v[:, s]
        z += fk[:, s].sum(axis=1)[:, :, None]
    return out
