"""Landmarks at s, 2s and so on, with ones."""
# causes: first_landmark_missing, integers

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    mask = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if abs(i - j) <= stride:
                mask[i, j] = 1
    mask[stride::stride] = 1
    mask[:, stride::stride] = 1
    return mask
