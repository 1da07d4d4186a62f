"""Puts the tokens last, sums along contiguous memory and returns a non-contiguous view."""

import numpy as np


def causal_linear_attention(q, k, v):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    q, k, v = (np.ascontiguousarray(x.swapaxes(1, 2)) for x in (phi(q), phi(k), v))
    kv = np.cumsum(k[:, :, None, :] * v[:, None, :, :], axis=-1)
    out = np.einsum("bdn,bden->ben", q, kv) / (q * np.cumsum(k, axis=-1)).sum(axis=1)[:, None]
    return out.swapaxes(1, 2)
