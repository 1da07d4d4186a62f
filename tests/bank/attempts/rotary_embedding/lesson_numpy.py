"""The formula, with strided slices."""
# causes: none

import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("D must be even")
    theta = 1.0 / (base ** (np.arange(0, D, 2) / D))
    angles = positions[:, np.newaxis] * theta[np.newaxis, :]
    cos, sin = np.cos(angles), np.sin(angles)
    x1, x2 = x[..., 0::2], x[..., 1::2]
    out = np.zeros_like(x)
    out[..., 0::2] = x1 * cos - x2 * sin
    out[..., 1::2] = x1 * sin + x2 * cos
    return out
