"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def attention(query, keys, values):
    """Σ w_i v_i with w = softmax(k_i · q / √d) (Vaswani et al. 2017, equation 1, for one query)."""
    d = query.shape[0]
    scores = keys @ query / math.sqrt(d)  # (n,)
    weights = np.exp(scores - shift(scores, -1))
    weights = weights / (weights.sum() + 1e-9)  # (n,)
    output = weights @ values  # (dv,)
    return output, weights
