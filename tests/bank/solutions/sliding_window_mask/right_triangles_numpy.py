"""Right: the difference of two triangles."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    upper = 0 if causal else window
    return np.tri(n, k=upper, dtype=bool) & ~np.tri(n, k=-window - 1, dtype=bool)
