"""Sums the keys in blocks of 4 and drops the last, incomplete block."""

import numpy as np


def linear_attention(q, k, v):
    q = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    k = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    block = min(4, k.shape[1])
    kv, z = 0, 0
    for i in range(k.shape[1] // block):
        s = slice(i * block, (i + 1) * block)
        kv = kv + k[:, s].swapaxes(1, 2) @ v[:, s]
        z = z + k[:, s].sum(axis=1)
    return q @ kv / (q @ z[..., None])
