"""Wrong: "distances of tens of thousands are as right as small ones": the absolute value is the root of an
int32 square, which overflows beyond 46340. alibi_bias(1, 1, 50000)."""
import numpy as np


def _power(heads):
    return 2.0 ** (-8.0 * np.arange(1, heads + 1) / heads)


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> np.ndarray:
    n = 1 << (num_heads.bit_length() - 1)
    slopes = np.concatenate([_power(n), _power(2 * n)[::2][: num_heads - n]])
    i = np.arange(query_len, dtype=np.int32)[:, None] + np.int32(key_len - query_len)
    j = np.arange(key_len, dtype=np.int32)[None, :]
    difference = i - j
    distance = np.sqrt(difference * difference)
    return (-slopes[:, None, None] * distance).astype(np.float32)
