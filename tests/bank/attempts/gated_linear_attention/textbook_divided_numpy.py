"""Queries times the product so far, keys divided by it: one matrix product a chunk."""
# causes: divided_by_products

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    S = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.empty_like(v)
    for s in range(0, n, chunk):
        Q, K, V, G = (x[:, :, s : s + chunk] for x in (q, k, v, gates))
        A = np.cumprod(G, axis=2)
        mask = np.tril(np.ones((Q.shape[2], Q.shape[2]), dtype=bool))
        P = np.where(mask, (Q * A) @ np.swapaxes(K / A, 2, 3), 0)
        out[:, :, s : s + chunk] = P @ V + (Q * A) @ S
        last = A[:, :, -1:]
        S = np.swapaxes(last, 2, 3) * S + np.swapaxes(K * (last / A), 2, 3) @ V
    return out
