"""Return the mean of the values, and uniform weights.

rows: 68
verdicts: wrong_answer
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    w = np.full((*np.broadcast_shapes(q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2]), 1 / k.shape[-2], q.dtype)
    return w @ v, w
