"""Right: the sum of shifted diagonals; comes back as a transposed view."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    reach = min(window, n - 1)
    total = sum(np.eye(n, k=k) for k in range(0 if causal else -reach, reach + 1))
    return (total > 0).T
