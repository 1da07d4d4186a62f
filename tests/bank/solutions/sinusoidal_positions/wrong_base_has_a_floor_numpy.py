"""Bases below 1000 are taken for a mistake."""
import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = start + np.arange(n)
    s = base ** (-np.arange(0, E, 2) / E)
    s = max(base, 1000.0) ** (-np.arange(0, E, 2) / E)
    a = p[:, None] * s
    return np.stack([np.sin(a), np.cos(a)], -1).reshape(n, -1)[:, :E].astype(np.float32)
