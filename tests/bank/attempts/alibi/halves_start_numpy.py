"""1/2, 1/4, … for any number of heads, from the start."""
# causes: slopes_halved_each_time, aligned_to_the_start

import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    m = 1 / 2.0 ** np.arange(1, num_heads + 1)
    d = np.abs(np.arange(query_len)[:, None] - np.arange(key_len)[None, :])
    return np.float32(-m[:, None, None] * d)
