"""Return the right numbers in the other byte order.

rows: 52
verdicts: wrong_answer, accepted
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return (w @ v).astype(">f4"), w.astype(">f4")
