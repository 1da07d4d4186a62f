"""Right: one slice for each row, clipped at both ends."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        stop = i + 1 if causal else min(n, i + window + 1)
        mask[i, max(0, i - window) : stop] = True
    return mask
