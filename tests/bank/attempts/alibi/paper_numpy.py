"""m (j - i), as in the paper."""
# causes: signed_distance

import math

import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** math.floor(math.log2(num_heads))
    m = np.array([2 ** (-8 * (h + 1) / n) for h in range(n)] + [2 ** (-8 * (2 * h + 1) / (2 * n)) for h in range(num_heads - n)])
    i = np.arange(query_len)[:, None] + key_len - query_len
    j = np.arange(key_len)[None, :]
    return (m[:, None, None] * (j - i)).astype(np.float32)
