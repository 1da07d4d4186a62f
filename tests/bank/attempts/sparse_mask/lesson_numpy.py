"""Band, columns and rows."""
# causes: none

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    i = np.arange(n)[:, None]
    j = np.arange(n)[None, :]
    return (np.abs(i - j) <= stride) | (i % stride == 0) | (j % stride == 0)
