"""Scale the queries, read first, then write."""
# causes: read_before_writing, scaled

import numpy as np


def delta_rule(q, k, v, beta) -> np.ndarray:
    B, H, n, D = q.shape
    M = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.zeros(v.shape, dtype=v.dtype)
    for i in range(n):
        out[:, :, i] = np.einsum("bhd,bhdv->bhv", q[:, :, i], M) / np.sqrt(D)
        key = k[:, :, i]
        old = np.einsum("bhd,bhdv->bhv", key, M)
        delta = beta[:, :, i, None] * (v[:, :, i] - old)
        M = M + key[..., :, None] * delta[..., None, :]
    return out
