"""A copy, and both entries of a pair updated in turn."""
# causes: second_uses_the_new_first

import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("D must be even")
    y = x.copy()
    for i in range(0, D, 2):
        c = np.cos(positions * base ** (-i / D))
        s = np.sin(positions * base ** (-i / D))
        y[..., i] = y[..., i] * c - y[..., i + 1] * s
        y[..., i + 1] = y[..., i] * s + y[..., i + 1] * c
    return y
