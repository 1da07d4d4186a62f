"""Scores are clipped to ±80 instead of the maximum being subtracted."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(np.clip(s, -80, 80))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ v, w
