"""The maximum of a row is subtracted only where some score is above 80."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    if s.size and s.max() > 80:
        return np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.zeros_like(m)


def scaled_dot_product_attention(q, k, v, scale=None):
    """softmax(q kᵀ · scale) v, by default with scale = 1/√d (Vaswani et al. 2017, equation 1)."""
    d = q.shape[-1]
    if scale is None:
        scale = 1 / math.sqrt(d)
    scores = q @ np.swapaxes(k, -2, -1) * scale  # (..., L, S)
    weights = np.exp(scores - shift(scores, -1))
    weights = weights / weights.sum(axis=-1, keepdims=True)  # (..., L, S)
    output = weights @ v  # (..., L, Dv)
    return output, weights
