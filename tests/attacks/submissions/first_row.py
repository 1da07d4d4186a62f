"""Compute the first row only and repeat it.

rows: 68
verdicts: wrong_answer
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q[..., :1, :] @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = (e / e.sum(-1, keepdims=True)).repeat(q.shape[-2], -2)
    return w @ v, w
