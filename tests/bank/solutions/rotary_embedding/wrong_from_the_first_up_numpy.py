"""Positions are counted up from the first one."""
import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    a = (positions[0] + np.arange(x.shape[2]))[:, None] * base ** (-np.arange(0, D, 2) / D)
    c, s = np.cos(a).astype(x.dtype), np.sin(a).astype(x.dtype)
    p, q = x[..., ::2], x[..., 1::2]
    return np.stack([p * c - q * s, p * s + q * c], -1).reshape(x.shape)
