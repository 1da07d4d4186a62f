"""Wrong: positions in 8 unsigned bits, so differences wrap around."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    at = np.arange(n).astype(np.uint8)
    mask = np.abs(at[:, None] - at[None]) <= window
    return np.tril(mask) if causal else mask
