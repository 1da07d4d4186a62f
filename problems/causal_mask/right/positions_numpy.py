# Each query gets its position among the keys, and may see the positions up to it.
import numpy as np


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    of_keys = np.arange(key_len)
    of_queries = np.arange(key_len - query_len, key_len)  # the last query is the last key
    return np.greater_equal.outer(of_queries, of_keys)
