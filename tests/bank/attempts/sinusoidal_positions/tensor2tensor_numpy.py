"""Sines in the first half, cosines in the second."""
# causes: halves

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pos = np.arange(start, start + n)[:, None]
    rates = 1 / np.power(base, 2 * np.arange((E + 1) // 2) / E)
    angle = pos * rates
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)[:, :E].astype(np.float32)
