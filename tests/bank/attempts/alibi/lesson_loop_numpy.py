"""Three loops."""
# causes: none

import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    n = 1
    while n * 2 <= num_heads:
        n = n * 2
    slopes = [2 ** (-8 * (h + 1) / n) for h in range(n)]
    for h in range(num_heads - n):
        slopes.append(2 ** (-8 * (2 * h + 1) / (2 * n)))
    bias = np.zeros((num_heads, query_len, key_len), dtype=np.float32)
    for h in range(num_heads):
        for i in range(query_len):
            bias[h, i] = -slopes[h] * np.abs(i + key_len - query_len - np.arange(key_len))
    return bias
