"""Wrong: treats only a single query as decoding; chunks of two or more are aligned to the start."""
import numpy as np


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    if query_len == 1:
        return np.ones((1, key_len), dtype=bool)
    return np.tri(query_len, key_len, dtype=bool)
