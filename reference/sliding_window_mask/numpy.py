"""Which keys lie within a window around each query (Beltagy et al. 2020, section 3.1)."""

import numpy as np


def sliding_window_mask(n, window, causal=False):
    i = np.arange(n)[:, None]  # (n, 1) queries
    j = np.arange(n)[None, :]  # (1, n) keys
    mask = np.abs(i - j) <= window  # (n, n), True = may attend
    if causal:
        mask = mask & (j <= i)
    return mask
