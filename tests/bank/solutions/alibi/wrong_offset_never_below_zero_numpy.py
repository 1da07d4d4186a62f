import math
import numpy as np

def _power(n):
    return [math.ldexp(1.0, 0) * 2.0 ** (-8.0 * (h + 1) / n) for h in range(n)]

def _slopes(h):
    n = 1
    while n * 2 <= h:
        n *= 2
    return _power(n) + _power(2 * n)[::2][: h - n]

def alibi_bias(num_heads, query_len, key_len):
    out = np.empty((num_heads, query_len, key_len), np.float32)
    j = np.arange(key_len, dtype=np.float64)
    for h, m in enumerate(_slopes(num_heads)):
        for i in range(query_len):
            out[h, i] = -m * np.abs(i + max(key_len - query_len, 0) - j)
    return out
