"""Wrong: positions kept in 8 bits, which wrap around after 127."""
import numpy as np


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    i = np.arange(key_len - query_len, key_len).astype(np.int8)
    j = np.arange(key_len).astype(np.int8)
    return j[None, :] <= i[:, None]
