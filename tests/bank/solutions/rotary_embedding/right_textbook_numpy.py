"""Angles by 1 / base ** (2i / D), results written into two strided views."""
import numpy as np


def apply_rope(x, positions, base=10000.0):
    B, H, n, D = x.shape
    if D % 2:
        raise ValueError("D must be even")
    inv_freq = 1.0 / base ** (np.arange(0, D, 2) / D)
    angles = np.outer(positions, inv_freq)
    c, s = np.cos(angles)[None, None], np.sin(angles)[None, None]
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    out[..., 1::2] = x[..., 0::2] * s + x[..., 1::2] * c
    return out
