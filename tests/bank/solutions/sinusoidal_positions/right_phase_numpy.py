"""Each column is a sine with a phase of a quarter turn or none."""
import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    column = np.arange(E)
    angles = np.outer(np.arange(n) + start, float(base) ** -(2 * (column // 2) / E))
    return np.sin(angles + column % 2 * np.pi / 2).astype(np.float32)
