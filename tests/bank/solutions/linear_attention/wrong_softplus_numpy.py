"""Softplus instead of elu + 1: also positive, also smooth, and not the same."""

import numpy as np


def linear_attention(q, k, v):
    q, k = np.logaddexp(q, 0).astype(q.dtype), np.logaddexp(k, 0).astype(k.dtype)
    return q @ (k.swapaxes(1, 2) @ v) / (q @ k.sum(axis=1)[..., None])
