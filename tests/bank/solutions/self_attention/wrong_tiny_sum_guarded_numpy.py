"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def self_attention(x, w_q, w_k, w_v):
    """softmax(q kᵀ / √d) v with q, k and v made from the same x (Vaswani et al. 2017, equation 1)."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, D), (n, D), (n, Dv)
    d = w_q.shape[1]
    scores = q @ k.T / math.sqrt(d)  # (n, n)
    weights = np.exp(scores - shift(scores, 1))
    weights = weights / (weights.sum(axis=1, keepdims=True) + 1e-9)  # (n, n)
    output = weights @ v  # (n, Dv)
    return output, weights
