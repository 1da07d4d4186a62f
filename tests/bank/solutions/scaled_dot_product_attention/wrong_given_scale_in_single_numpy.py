"""A given scale is rounded to float32."""

import math

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    """softmax(q kᵀ · scale) v, by default with scale = 1/√d (Vaswani et al. 2017, equation 1)."""
    d = q.shape[-1]
    if scale is None:
        scale = 1 / math.sqrt(d)
    else:
        scale = np.float32(scale)
    scores = q @ np.swapaxes(k, -2, -1) * scale  # (..., L, S)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)  # (..., L, S)
    output = weights @ v  # (..., L, Dv)
    return output, weights
