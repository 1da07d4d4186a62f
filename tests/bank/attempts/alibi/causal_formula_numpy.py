"""Only the past has a distance; one formula."""
# causes: future_at_no_distance, formula_for_every_number

import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    m = 2.0 ** (-8.0 / num_heads * (np.arange(num_heads) + 1))
    i = np.arange(query_len)[:, None] + key_len - query_len
    j = np.arange(key_len)[None, :]
    d = np.where(j < i, i - j, 0)
    return -(m[:, None, None] * d).astype(np.float32)
