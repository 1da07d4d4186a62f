"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def scaled_dot_product_attention(q, k, v, scale=None):
    """softmax(q kᵀ · scale) v, by default with scale = 1/√d (Vaswani et al. 2017, equation 1)."""
    d = q.shape[-1]
    if scale is None:
        scale = 1 / math.sqrt(d)
    scores = q @ np.swapaxes(k, -2, -1) * scale  # (..., L, S)
    weights = np.exp(scores - shift(scores, -1))
    weights = weights / (weights.sum(axis=-1, keepdims=True) + 1e-9)  # (..., L, S)
    output = weights @ v  # (..., L, Dv)
    return output, weights
