"""The gates are summed as if they were logarithms."""
# causes: gate_as_a_logarithm

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    S, parts = np.zeros((*k.shape[:2], k.shape[3], v.shape[3]), v.dtype), []
    for s in range(0, q.shape[2], chunk):
        Q, K, V, L = (x[:, :, s : s + chunk] for x in (q, k, v, gates))
        b = L.cumsum(axis=2)
        W = np.exp(b[:, :, :, None] - b[:, :, None])
        A = np.tril(np.einsum("bhid,bhjd,bhijd->bhij", Q, K, W))
        parts.append(A @ V + (Q * np.exp(b)) @ S)
        S = np.exp(b[:, :, -1, :, None]) * S + (K * np.exp(b[:, :, -1:] - b)).swapaxes(-1, -2) @ V
    return np.concatenate(parts, axis=2)
