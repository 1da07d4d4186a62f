"""A slice around i."""
# causes: negative_start, end_left_out

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        if causal:
            mask[i, i - window : i + 1] = True
        else:
            mask[i, i - window : i + window] = True
    return mask
