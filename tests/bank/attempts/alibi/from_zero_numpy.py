"""Exponents from 0."""
# causes: slopes_from_zero

import math

import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** math.floor(math.log2(num_heads))
    m = 2.0 ** (-8 * np.arange(n) / n)
    m = np.append(m, 2.0 ** (-8 * np.arange(1, 2 * n, 2) / (2 * n)))[:num_heads]
    d = np.abs(np.arange(query_len)[:, None] + key_len - query_len - np.arange(key_len))
    return (-m.reshape(-1, 1, 1) * d).astype("float32")
