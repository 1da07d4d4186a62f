"""One maximum is taken off the whole matrix, so a row may end empty."""
import numpy as np


def batch_attention(queries, keys, values):
    s = queries @ keys.T / queries.dtype.type(queries.shape[1] ** 0.5)
    e = np.exp(s - s.max())
    w = e / e.sum(axis=1, keepdims=True)
    return w @ values, w
