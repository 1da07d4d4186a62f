"""64-bit NumPy integers, returned as NumPy scalars."""

import numpy as np


def attention_flops(n, d):
    n, d = np.int64(n), np.int64(d)
    return 2 * (2 * n * n * d) + 5 * n * n


def attention_bytes(n, d, itemsize=4):
    shapes = np.array([[n, d], [n, d], [n, d], [n, n], [n, d]], dtype=np.int64)
    return shapes.prod(axis=1).sum() * np.int64(itemsize)
