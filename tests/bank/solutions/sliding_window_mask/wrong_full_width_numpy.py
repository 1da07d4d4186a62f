"""Wrong: every row sees 2 * window + 1 keys, moved inwards at the ends instead of cut off."""
import numpy as np


def sliding_window_mask(n, window, causal=False):
    width = min(n, 2 * window + 1)
    start = np.clip(np.arange(n) - window, 0, n - width)[:, None]
    j = np.arange(n)[None]
    mask = (j >= start) & (j < start + width)
    return np.tril(mask) if causal else mask
