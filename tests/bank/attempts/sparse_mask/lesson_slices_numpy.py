"""Set rows and columns by slices."""
# causes: none

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    mask = np.zeros((n, n), dtype=bool)
    mask[::stride, :] = True
    mask[:, ::stride] = True
    for i in range(n):
        mask[i, max(0, i - stride) : i + stride + 1] = True
    return mask
