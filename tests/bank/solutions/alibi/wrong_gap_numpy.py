"""Wrong: "every other slope of 2n heads": the exponents of the heads between go 1, 3, 7, 15 and not 1, 3, 5, 7.
Right up to two such heads (3, 5, 6, 9, 10); alibi_bias(7, 1, 2) is wrong in its last head."""
import numpy as np


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> np.ndarray:
    n = 1 << (num_heads.bit_length() - 1)
    slopes = [2.0 ** (-8.0 * (h + 1) / n) for h in range(n)]
    step, exponent = 2, 1
    for _ in range(num_heads - n):
        slopes.append(2.0 ** (-8.0 * exponent / (2 * n)))
        exponent += step
        step *= 2
    i = np.arange(query_len)[:, None] + key_len - query_len
    distance = np.abs(i - np.arange(key_len))
    return (-np.array(slopes)[:, None, None] * distance).astype(np.float32)
