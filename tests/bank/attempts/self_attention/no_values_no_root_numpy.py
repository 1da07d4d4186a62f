"""The words themselves are mixed, and the scores are not divided."""
# causes: words_instead_of_values, no_scale

import numpy as np


def self_attention(x, w_q, w_k, w_v):
    scores = (x @ w_q) @ (x @ w_k).T
    scores -= scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ x, weights
