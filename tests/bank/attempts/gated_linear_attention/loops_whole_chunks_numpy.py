"""As many chunks as fit."""
# causes: last_chunk_dropped

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    C = min(chunk, n)
    S = np.zeros((B, H, D, v.shape[-1]), v.dtype)
    out = np.zeros_like(v)
    i = np.arange(C)
    for c in range(n // C):
        rows = slice(c * C, (c + 1) * C)
        Q, K, V, G = q[:, :, rows], k[:, :, rows], v[:, :, rows], gates[:, :, rows]
        b = np.cumsum(np.log(G + 1e-30), axis=2)
        W = np.exp(np.where((i[:, None] >= i)[..., None], b[:, :, :, None] - b[:, :, None], -np.inf))
        out[:, :, rows] = np.einsum("bhid,bhijd,bhjd->bhij", Q, W, K) @ V + (Q * np.exp(b)) @ S
        S = np.exp(b[:, :, -1])[..., None] * S + (K * W[:, :, -1]).swapaxes(2, 3) @ V
    return out
