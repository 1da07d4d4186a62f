"""Even widths only."""
# causes: odd_width_not_cut

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = np.zeros((n, E), dtype=np.float32)
    position = np.arange(start, start + n)[:, np.newaxis]
    div_term = np.exp(np.arange(0, E, 2) * -(np.log(base) / E))
    pe[:, 0::2] = np.sin(position * div_term)
    pe[:, 1::2] = np.cos(position * div_term)
    return pe
