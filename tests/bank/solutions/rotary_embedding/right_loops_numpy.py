"""Token by token and pair by pair."""
import math

import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    out = np.zeros(x.shape, x.dtype)
    for i in range(0, D, 2):
        theta = float(base) ** (-i / D)
        for t, p in enumerate(positions):
            c, s = math.cos(p * theta), math.sin(p * theta)
            out[:, :, t, i] = x[:, :, t, i] * c - x[:, :, t, i + 1] * s
            out[:, :, t, i + 1] = x[:, :, t, i] * s + x[:, :, t, i + 1] * c
    return out
