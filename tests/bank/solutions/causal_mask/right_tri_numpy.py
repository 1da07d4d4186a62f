"""Right: np.tri with its diagonal shifted."""
import numpy as np


def causal_mask(query_len, key_len=None):
    if key_len is None:
        key_len = query_len
    return np.tri(query_len, key_len, key_len - query_len, dtype=bool)
