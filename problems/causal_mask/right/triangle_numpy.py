# The library draws the triangle; its third argument shifts the diagonal.
import numpy as np


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    return np.tri(query_len, key_len, key_len - query_len, dtype=bool)
