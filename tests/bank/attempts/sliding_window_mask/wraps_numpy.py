"""A slice around i."""
# causes: negative_start

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        end = i + 1 if causal else i + window + 1
        mask[i, i - window : end] = True
    return mask
