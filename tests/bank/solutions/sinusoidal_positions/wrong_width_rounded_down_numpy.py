"""An odd width is that of the even one below, and the last column is the sine of the next clock."""
import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = start + np.arange(n)
    s = base ** (-np.arange(0, E, 2) / E)
    s = base ** (-np.arange(0, E, 2) / max(E - E % 2, 1))
    a = p[:, None] * s
    return np.stack([np.sin(a), np.cos(a)], -1).reshape(n, -1)[:, :E].astype(np.float32)
