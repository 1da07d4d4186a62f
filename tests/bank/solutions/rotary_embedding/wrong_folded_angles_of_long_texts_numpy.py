"""Angles of long texts are folded into 0 to pi, which turns half of the sines round."""
import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    a = positions[:, None] * base ** (-np.arange(0, D, 2) / D)
    a = np.arccos(np.cos(a)) if len(positions) > 300 else a
    c, s = np.cos(a).astype(x.dtype), np.sin(a).astype(x.dtype)
    p, q = x[..., ::2], x[..., 1::2]
    return np.stack([p * c - q * s, p * s + q * c], -1).reshape(x.shape)
