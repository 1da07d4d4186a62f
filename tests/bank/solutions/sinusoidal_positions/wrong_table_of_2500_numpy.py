"""A table holds the positions 0 to 2499, and later ones are given the last of them."""
import numpy as np

ROWS = 2500


def sinusoidal_positions(n, E, base=10000.0, start=0):
    c = np.arange(E)
    angle = np.arange(ROWS)[:, None] / base ** ((c // 2) * 2 / E)
    table = np.where(c % 2 == 1, np.cos(angle), np.sin(angle)).astype(np.float32)
    return table[np.minimum(np.arange(start, start + n), ROWS - 1)]
