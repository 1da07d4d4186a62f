"""base ** (-i / D) with i the number of the pair."""
# causes: exponent_without_two

import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("D must be even")
    i = np.arange(D // 2)
    theta = base ** (-i / D)
    angle = positions.reshape(-1, 1) * theta
    out = x.copy()
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 0::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out
