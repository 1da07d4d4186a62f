"""A loop over pairs."""
# causes: none

import numpy as np


def apply_rope(x, positions, base=10000.0):
    B, H, n, D = x.shape
    if D % 2:
        raise ValueError(f"D={D} is odd")
    y = x.astype(np.float64)
    for i in range(D // 2):
        angle = positions * base ** (-2 * i / D)
        c, s = np.cos(angle), np.sin(angle)
        y[..., 2 * i] = x[..., 2 * i] * c - x[..., 2 * i + 1] * s
        y[..., 2 * i + 1] = x[..., 2 * i] * s + x[..., 2 * i + 1] * c
    return y.astype(x.dtype)
