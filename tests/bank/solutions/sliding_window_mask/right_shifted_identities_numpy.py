"""A sum of shifted identity matrices."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    mask = np.zeros((n, n), dtype=bool)
    for shift in range(-min(window, n - 1), 1 if causal else min(window, n - 1) + 1):
        mask |= np.eye(n, k=shift, dtype=bool)
    return mask
