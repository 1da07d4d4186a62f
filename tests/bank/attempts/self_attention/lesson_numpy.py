"""Project, score, softmax, sum."""
# causes: none

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    d_k = q.shape[-1]
    scores = q @ k.T / np.sqrt(d_k)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
