"""Python slices from i - window to i + window."""
# causes: end_left_out

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        mask[i, max(0, i - window) : i + window] = True
    if causal:
        mask &= np.tril(np.ones((n, n), dtype=bool))
    return mask
