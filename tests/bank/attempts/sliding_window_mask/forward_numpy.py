"""j - i between 0 and the window."""
# causes: looks_ahead

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    i = np.arange(n)[:, None]
    j = np.arange(n)[None, :]
    mask = np.abs(i - j) <= window
    if causal:
        mask = mask & (j >= i)
    return mask
