"""Row by row, each a slice from the left."""
# causes: end_before_the_keys

import numpy as np


def causal_mask(query_len, key_len=None):
    S = query_len if key_len is None else key_len
    m = np.zeros((query_len, S), dtype=bool)
    for i in range(query_len):
        m[i, : i + S - query_len + 1] = True
    return m
