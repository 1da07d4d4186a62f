"""fromfunction on counted indices."""
import numpy as np


def causal_mask(query_len, key_len=None):
    keys = query_len if key_len is None else key_len
    return np.fromfunction(lambda i, j: j - i <= keys - query_len, (query_len, keys), dtype=int)
