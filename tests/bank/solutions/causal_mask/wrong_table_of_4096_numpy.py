# wrong: cut out of a triangle of 4096 x 4096; with more than 4096 keys (query_len = 1, key_len = 5000) the shape is too small
import numpy as np

_bias = np.tril(np.ones((4096, 4096), dtype=bool))


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    if query_len <= key_len:
        return _bias[key_len - query_len : key_len, :key_len].copy()
    empty = np.zeros((query_len - key_len, key_len), dtype=bool)
    return np.concatenate([empty, _bias[:key_len, :key_len]])
