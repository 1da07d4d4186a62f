"""Weights, then output; divided by D."""
# causes: results_exchanged, divided_by_d

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / q.shape[1]
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights, weights @ v
