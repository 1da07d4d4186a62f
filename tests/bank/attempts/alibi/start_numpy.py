"""The first query at the first key."""
# causes: aligned_to_the_start

import math

import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** math.floor(math.log2(num_heads))
    slopes = [2 ** (-8 * (h + 1) / n) for h in range(n)]
    slopes += [2 ** (-8 * (2 * h + 1) / (2 * n)) for h in range(num_heads - n)]
    i, j = np.meshgrid(np.arange(query_len), np.arange(key_len), indexing="ij")
    return np.array([-s * np.abs(i - j) for s in slopes], dtype=np.float32)
