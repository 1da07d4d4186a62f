"""Wrong: a slice from i - window, which near the beginning is negative and counts from the end."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        stop = i + 1 if causal else i + window + 1
        mask[i, i - window : stop] = True
    return mask
