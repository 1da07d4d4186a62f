"""A band that looks back, and landmarks that are seen."""
# causes: band_looks_back_only, landmarks_only_seen

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        mask[i, max(0, i - stride) : i + 1] = True
    mask[:, ::stride] = True
    return mask
