"""Entry by entry."""
import math

import numpy as np


def sinusoidal_positions(n, E, base=10000.0, start=0):
    def entry(r, c):
        angle = (start + r) / base ** (2 * (c // 2) / E)
        return math.cos(angle) if c % 2 else math.sin(angle)

    return np.array([[entry(r, c) for c in range(E)] for r in range(n)])
