"""Ones for the neighbours."""
# causes: integers, end_left_out

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    mask = np.zeros((n, n))
    for i in range(n):
        for j in range(max(0, i - window), min(n, i + window)):
            if not causal or j <= i:
                mask[i, j] = 1
    return mask
