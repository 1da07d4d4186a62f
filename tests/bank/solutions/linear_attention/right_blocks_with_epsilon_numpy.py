"""Keys summed block by block, a column of ones carries the normaliser, and an epsilon of 1e-6 in the denominator."""

import numpy as np


def linear_attention(q, k, v):
    q = np.where(q > 0, q + 1, np.exp(q))
    k = np.where(k > 0, k + 1, np.exp(k))
    batch, n, d = k.shape
    v1 = np.concatenate([v, np.ones_like(v[..., :1])], axis=-1)
    state = np.zeros((batch, d, v1.shape[-1]), dtype=q.dtype)
    for start in range(0, n, 1000):
        state += k[:, start : start + 1000].swapaxes(1, 2) @ v1[:, start : start + 1000]
    out = q @ state
    return out[..., :-1] / (out[..., -1:] + 1e-6)
