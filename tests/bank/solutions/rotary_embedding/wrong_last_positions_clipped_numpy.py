"""Positions beyond 9990 are taken for 9990."""

import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError
    p = np.minimum(positions, 9990)
    a = p[:, None] * base ** (-np.arange(0, D, 2) / D)
    y = np.empty_like(x)
    y[..., 0::2] = x[..., 0::2] * np.cos(a) - x[..., 1::2] * np.sin(a)
    y[..., 1::2] = x[..., 0::2] * np.sin(a) + x[..., 1::2] * np.cos(a)
    return y
