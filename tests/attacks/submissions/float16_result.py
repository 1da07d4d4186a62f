"""Return the right numbers in float16 where float32 is asked.

rows: 52
verdicts: wrong_answer
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    q, k, v = (a.astype(np.float64) for a in (q, k, v))
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return (w @ v).astype(np.float16), w.astype(np.float16)
