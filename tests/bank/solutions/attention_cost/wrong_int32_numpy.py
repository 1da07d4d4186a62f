"""32-bit integers overflow for long texts."""

import numpy as np


def attention_flops(n, d):
    n, d = np.array([n, d], dtype=np.int64).astype(np.int32)
    return int(4 * n * n * d + 5 * n * n)


def attention_bytes(n, d, itemsize=4):
    return (4 * n * d + n * n) * itemsize
