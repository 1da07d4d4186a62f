"""A softmax without keepdims."""
# causes: maxima_and_sums_laid_along_columns

import numpy as np


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / np.sqrt(q.shape[-1])
    s = s - s.max(axis=-1)
    e = np.exp(s)
    w = e / e.sum(axis=-1)
    return w @ v, w
