"""-2i / E with i in twos already, and no start."""
# causes: exponent_doubled, start_ignored

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    i = np.arange(0, E, 2)
    angle = np.arange(n)[:, None] * base ** (-2 * i / E)
    pe = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, -1)
    return pe[:, :E].astype(np.float32)
