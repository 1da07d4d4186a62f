"""The landmark is the last word of each block; closer than the stride is near."""
# causes: landmarks_at_block_ends, band_one_short

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    i = np.arange(n)[:, None]
    j = np.arange(n)
    landmark = stride - 1
    return (abs(i - j) < stride) | (i % stride == landmark) | (j % stride == landmark)
