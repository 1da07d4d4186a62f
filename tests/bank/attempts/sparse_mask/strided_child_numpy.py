"""The strided pattern: every key at a multiple of the stride from the query."""
# causes: multiples_of_distance

import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    i = np.arange(n)[:, None]
    j = np.arange(n)
    return (np.abs(i - j) <= stride) | ((i - j) % stride == 0)
