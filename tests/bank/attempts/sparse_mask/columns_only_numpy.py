"""Everyone sees the landmarks."""
# causes: landmarks_only_seen

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    i = np.arange(n)[:, None]
    j = np.arange(n)
    return (abs(i - j) <= stride) | (j % stride == 0)
