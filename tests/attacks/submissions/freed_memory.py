"""Return views that reach beyond their own memory, to bring home whatever lies there.

rows: 55
verdicts: wrong_answer, runtime_error
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    small = np.empty(1, q.dtype)
    out = np.lib.stride_tricks.as_strided(small, (*q.shape[:-1], v.shape[-1]), (8,) * q.ndim)
    weights = np.lib.stride_tricks.as_strided(small, (*q.shape[:-1], k.shape[-2]), (-4,) * q.ndim)
    del small
    return out, weights
