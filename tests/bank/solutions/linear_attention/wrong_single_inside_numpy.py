"""Worked out in float32, handed back in the dtype that came."""
import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention(q, k, v):
    kind = v.dtype
    q, k, v = phi(q.astype(np.float32)), phi(k.astype(np.float32)), v.astype(np.float32)
    out = (q @ (k.swapaxes(1, 2) @ v)) / (q @ k.sum(axis=1)[..., None])
    return out.astype(kind)
