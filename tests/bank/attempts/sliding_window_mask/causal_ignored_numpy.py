"""All positions within reach."""
# causes: causal_ignored

import numpy as np


def sliding_window_mask(n: int, window: int, causal: bool = False) -> np.ndarray:
    pos = np.arange(n)
    return np.abs(np.subtract.outer(pos, pos)) <= window
