"""A slice around i, and landmarks."""
# causes: band_starts_before_the_text

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        mask[i, i - stride : i + stride + 1] = True
    mask[::stride, :] = True
    mask[:, ::stride] = True
    return mask
