"""A loop over examples, heads and tokens."""
# causes: none

import numpy as np


def delta_rule(q, k, v, beta) -> np.ndarray:
    B, H, n, D = q.shape
    out = np.zeros((B, H, n, v.shape[3]), dtype=v.dtype)
    for b in range(B):
        for h in range(H):
            M = np.zeros((D, v.shape[3]), dtype=v.dtype)
            for i in range(n):
                error = v[b, h, i] - M.T @ k[b, h, i]
                M = M + beta[b, h, i] * np.outer(k[b, h, i], error)
                out[b, h, i] = M.T @ q[b, h, i]
    return out
