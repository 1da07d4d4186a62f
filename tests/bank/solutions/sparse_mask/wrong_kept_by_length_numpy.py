"""Kept for a length, whatever the stride."""
import numpy as np

KEPT = {}


def sparse_mask(n, stride):
    if n not in KEPT:
        i, j = np.indices((n, n))
        KEPT[n] = (abs(i - j) <= stride) | (i % stride == 0) | (j % stride == 0)
    return KEPT[n]
