"""Return the right numbers in an array of objects, and in a structured one.

rows: 50
verdicts: wrong_answer
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    out = w @ v
    return out.astype(object), w.astype([("value", "f4")])
