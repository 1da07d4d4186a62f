"""Wrong: the square triangle of the larger length, cut at the top left."""
import numpy as np


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    n = min(query_len, key_len)
    mask = np.ones((query_len, key_len), dtype=bool)
    mask[:n, :n] = np.tri(n, dtype=bool)
    return mask
