"""Entry by entry, in Python's own floats."""
import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    n = 1
    while 2 * n <= num_heads:
        n *= 2
    m = [2 ** (-8 * (h + 1) / n) if h < n else 2 ** (-8 * (2 * (h - n) + 1) / (2 * n)) for h in range(num_heads)]
    rows = [[abs(i + key_len - query_len - j) for j in range(key_len)] for i in range(query_len)]
    return np.float32([[[-s * d for d in row] for row in rows] for s in m])
