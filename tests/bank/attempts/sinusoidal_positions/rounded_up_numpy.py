"""Makes the width even, and cuts the last column off; no start."""
# causes: width_rounded_up, start_ignored

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    even = E + E % 2
    pe = np.zeros((n, even))
    angle = np.arange(n)[:, None] / base ** (np.arange(0, even, 2) / even)
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle)
    return pe[:, :E].astype(np.float32)
