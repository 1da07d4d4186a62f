"""i / E with i the column."""
# causes: speed_for_each_column

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    i = np.arange(E)
    angle = np.arange(start, start + n)[:, None] / np.power(base, i / E)
    angle[:, 0::2] = np.sin(angle[:, 0::2])
    angle[:, 1::2] = np.cos(angle[:, 1::2])
    return angle
