"""Sums of shifted identities, left as numbers."""
# causes: integers

import numpy as np


def sliding_window_mask(n, window, causal=False):
    mask = np.zeros((n, n))
    for k in range(-window, 1 if causal else window + 1):
        mask += np.eye(n, k=k)
    return mask
