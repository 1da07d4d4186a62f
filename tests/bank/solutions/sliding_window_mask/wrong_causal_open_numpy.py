"""The causal window has a half-open far end."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    d = np.subtract.outer(np.arange(n), np.arange(n))
    return (d >= 0) & ((d < window) | (d == 0)) if causal else abs(d) <= window
