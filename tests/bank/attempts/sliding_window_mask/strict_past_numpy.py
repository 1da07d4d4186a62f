"""Causal means before."""
# causes: diagonal_hidden

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    i = np.arange(n)[:, None]
    j = np.arange(n)
    if causal:
        return (j >= i - window) & (j < i)
    return np.abs(i - j) <= window
