"""Add up the summary token by token."""
# causes: too_many_steps

import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    B, n, D = q.shape
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    kv = np.zeros((B, D, v.shape[2]), dtype=v.dtype)
    z = np.zeros((B, D), dtype=v.dtype)
    for b in range(B):
        for i in range(n):
            kv[b] += np.outer(fk[b, i], v[b, i])
            z[b] += fk[b, i]
    return fq @ kv / (fq @ z[:, :, None])
