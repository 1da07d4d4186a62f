"""Wrong: with causal set the whole width goes backwards, twice as far."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    i, j = np.ogrid[:n, :n]
    if causal:
        return (j <= i) & (j >= i - 2 * window)
    return abs(i - j) <= window
