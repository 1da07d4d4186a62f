"""Return zeros of the right shape.

rows: 68
verdicts: wrong_answer
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    return np.zeros((*lead, q.shape[-2], v.shape[-1]), q.dtype), np.zeros((*lead, q.shape[-2], k.shape[-2]), q.dtype)
