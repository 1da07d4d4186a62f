"""Answer honestly through negative strides and gaps: only values are judged.

rows: 55
verdicts: accepted
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    out = w @ v
    backwards = np.ascontiguousarray(out[..., ::-1])[..., ::-1]
    wide = np.empty((*w.shape, 3), w.dtype)
    wide[..., 1] = w
    return backwards, wide[..., 1]
