"""A window of this width around each word."""
# causes: window_halved, causal_ignored

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    pos = np.arange(n)
    return np.abs(pos[:, None] - pos[None, :]) <= window / 2
