"""Everybody sees a landmark; a landmark sees only its band."""
import numpy as np


def sparse_mask(n, stride):
    i, j = np.indices((n, n))
    return (abs(i - j) <= stride) | (j % stride == 0)
