"""Hide what is too far or in the past."""
# causes: polarity_inverted, looks_ahead

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    i = np.arange(n)[:, None]
    j = np.arange(n)
    hidden = abs(i - j) > window
    if causal:
        hidden |= j < i
    return hidden
