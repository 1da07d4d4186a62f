"""Everyone sees the landmarks and what is closer than the stride."""
# causes: landmarks_only_seen, band_one_short

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    i = np.arange(n)[:, None]
    j = np.arange(n)
    return (abs(i - j) < stride) | (j % stride == 0)
