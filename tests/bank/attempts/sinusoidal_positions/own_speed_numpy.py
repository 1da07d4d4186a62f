"""2 * i / E with i the column."""
# causes: column_number_for_i

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = np.zeros((n, E), dtype=np.float32)
    for k in range(n):
        for i in range(E):
            angle = (k + start) / base ** (2 * i / E)
            pe[k, i] = np.sin(angle) if i % 2 == 0 else np.cos(angle)
    return pe
