"""In another style: set."""

import numpy as np


def sparse_mask(n, stride):
    g = set(range(0, n, stride))
    return np.array([[abs(i - j) <= stride or i in g or j in g for j in range(n)] for i in range(n)], dtype=bool)
