"""The maximum is taken off before a scale that may be negative."""

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    c = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ np.swapaxes(k, -1, -2)
    s = s - s.max(-1, keepdims=True)
    e = np.exp(s * c)
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
