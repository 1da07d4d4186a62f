"""Mark a slice in each row."""
# causes: none

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        start = max(0, i - window)
        end = i + 1 if causal else min(n, i + window + 1)
        mask[i, start:end] = True
    return mask
