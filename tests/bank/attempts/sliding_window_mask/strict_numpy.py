"""Strictly nearer than the window, and the causal side is turned round."""
# causes: window_one_short, looks_ahead

import numpy as np


def sliding_window_mask(n, window, causal=False):
    d = np.arange(n)[:, None] - np.arange(n)[None, :]
    mask = np.abs(d) < window
    if causal:
        mask &= d <= 0
    return mask
