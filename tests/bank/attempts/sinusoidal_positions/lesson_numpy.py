"""Two strided assignments, and the odd width cut off."""
# causes: none

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = np.zeros((n, E), dtype=np.float32)
    position = np.arange(start, start + n).reshape(-1, 1)
    div_term = base ** (np.arange(0, E, 2) / E)
    pe[:, 0::2] = np.sin(position / div_term)
    pe[:, 1::2] = np.cos(position / div_term[: E // 2])
    return pe
