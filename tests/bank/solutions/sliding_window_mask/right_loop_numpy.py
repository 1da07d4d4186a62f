"""A slice of each row."""

import numpy as np


def sliding_window_mask(n, window, causal=False):
    m = np.zeros((n, n), bool)
    for i in range(n):
        m[i, max(0, i - window) : (i if causal else min(n - 1, i + window)) + 1] = 1
    return m
