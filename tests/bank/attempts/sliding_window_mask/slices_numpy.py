"""Rows are filled by slices that leave the last key out."""
# causes: end_left_out, diagonal_hidden, integers

import numpy as np


def sliding_window_mask(n, window, causal=False):
    mask = np.zeros((n, n), dtype=int)
    for i in range(n):
        start = max(0, i - window)
        end = i if causal else min(n, i + window)
        mask[i, start:end] = 1
    return mask
