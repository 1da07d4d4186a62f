"""Self-attention with a bias on its scores.

Vaswani et al. 2017, section 3.2; Press et al. 2022, section 3.
"""

import math

import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, D), (n, D), (n, Dv)
    d = k.shape[-1]
    scores = q @ k.T / math.sqrt(d)  # (n, n)
    if mask is not None:
        scores = scores + mask
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)  # (n, n)
    return weights @ v, weights  # (n, Dv), (n, n)
