"""Right: the complement of an upper triangle of ones."""
import numpy as np


def causal_mask(query_len, key_len=None):
    key_len = key_len if key_len is not None else query_len
    return np.triu(np.ones((query_len, key_len)), k=key_len - query_len + 1) == 0
