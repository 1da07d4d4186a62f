"""-2i / D with i already going in twos; positions from arange."""
# causes: exponent_doubled, positions_counted

import numpy as np


def apply_rope(x, positions, base=10000.0):
    B, H, n, D = x.shape
    if D % 2 != 0:
        raise ValueError("D must be even")
    theta = np.array([base ** (-2 * i / D) for i in range(0, D, 2)])
    angle = np.arange(n)[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    out = np.empty(x.shape)
    out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return out
