"""Add each product, held back by its gate."""
# causes: never_erased

import numpy as np


def delta_rule(q, k, v, beta) -> np.ndarray:
    B, H, n, D = q.shape
    M = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.zeros(v.shape, dtype=v.dtype)
    for i in range(n):
        key = k[:, :, i]
        delta = beta[:, :, i, None] * v[:, :, i]
        M = M + key[..., :, None] * delta[..., None, :]
        out[:, :, i] = np.einsum("bhd,bhdv->bhv", q[:, :, i], M)
    return out
