"""The formula, and the recursion in words."""
# causes: none

import math

import numpy as np


def power_of_two(n):
    return [2 ** (-8 * (h + 1) / n) for h in range(n)]


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** math.floor(math.log2(num_heads))
    m = power_of_two(n) + power_of_two(2 * n)[0::2][: num_heads - n]
    i = np.arange(query_len)[:, None]
    j = np.arange(key_len)[None, :]
    distance = np.abs(i + key_len - query_len - j)
    return (-np.array(m)[:, None, None] * distance[None]).astype(np.float32)
