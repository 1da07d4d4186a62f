"""Updates x itself, in turn."""
# causes: second_uses_the_new_first, turned_in_place

import numpy as np


def apply_rope(x, positions, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("D must be even")
    angle = positions[:, None] * base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    cos, sin = np.cos(angle), np.sin(angle)
    x[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    x[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return x
