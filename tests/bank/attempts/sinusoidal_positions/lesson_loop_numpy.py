"""Two loops, as in the formula."""
# causes: none

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = np.zeros((n, E))
    for row in range(n):
        for i in range(0, E, 2):
            angle = (row + start) / base ** (i / E)
            pe[row, i] = np.sin(angle)
            if i + 1 < E:
                pe[row, i + 1] = np.cos(angle)
    return pe
