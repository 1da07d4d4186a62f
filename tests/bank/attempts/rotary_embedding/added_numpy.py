"""Adds the sinusoidal encoding of the first transformer."""
# causes: added_to_the_token

import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("D must be even")
    pe = np.zeros((len(positions), D))
    angle = positions[:, None] / base ** (np.arange(0, D, 2) / D)
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle)
    return (x + pe).astype(x.dtype)
