"""NumPy integers for safety."""
# causes: other: 32-bit integers overflow

import numpy as np


def attention_flops(n: int, d: int) -> int:
    n, d = np.int32(n), np.int32(d)
    return n * n * (4 * d + 5)


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    n, d = np.int32(n), np.int32(d)
    return (4 * n * d + n * n) * itemsize
