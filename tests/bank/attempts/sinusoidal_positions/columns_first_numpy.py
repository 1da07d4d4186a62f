"""A row for each column."""
# causes: columns_and_positions_exchanged

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = np.arange(start, start + n)
    rows = []
    for c in range(E):
        f = np.sin if c % 2 == 0 else np.cos
        rows.append(f(p / base ** ((c - c % 2) / E)))
    return np.array(rows, dtype=np.float32)
