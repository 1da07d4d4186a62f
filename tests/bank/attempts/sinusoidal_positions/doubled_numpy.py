"""-2i / E with i in twos already."""
# causes: exponent_doubled

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = np.zeros((n, E), dtype=np.float32)
    for i in range(0, E, 2):
        angle = np.arange(start, start + n) / base ** (2 * i / E)
        pe[:, i] = np.sin(angle)
        if i + 1 < E:
            pe[:, i + 1] = np.cos(angle)
    return pe
