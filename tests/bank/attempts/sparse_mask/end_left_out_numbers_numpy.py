"""Ones in a slice around i, and in the lines of the landmarks."""
# causes: band_end_left_out, integers

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    mask = np.zeros((n, n), dtype=int)
    for i in range(n):
        mask[i, max(i - stride, 0) : i + stride] = 1
    mask[::stride, :] = 1
    mask[:, ::stride] = 1
    return mask
