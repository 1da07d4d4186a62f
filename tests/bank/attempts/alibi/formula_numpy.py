"""One formula for all numbers of heads."""
# causes: formula_for_every_number

import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    m = 2.0 ** (-8 * np.arange(1, num_heads + 1) / num_heads)
    i = np.arange(key_len - query_len, key_len)[:, None]
    j = np.arange(key_len)
    return (-m[:, None, None] * np.abs(i - j)).astype(np.float32)
