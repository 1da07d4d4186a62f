"""The authors' recursion over powers of two."""
import math

import numpy as np


def get_slopes(n):
    if math.log2(n).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]
    closest = 2 ** math.floor(math.log2(n))
    return get_slopes(closest) + get_slopes(2 * closest)[0::2][: n - closest]


def alibi_bias(num_heads, query_len, key_len):
    i = np.arange(key_len - query_len, key_len)[:, None]
    distance = np.abs(i - np.arange(key_len))
    return -np.array(get_slopes(num_heads), dtype=np.float32)[:, None, None] * distance.astype(np.float32)
