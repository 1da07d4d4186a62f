"""Normalise over axis 0."""
# causes: softmax_over_queries

import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[1])
    e = np.exp(scaled - scaled.max(axis=0))
    weights = e / e.sum(axis=0)
    return scores, scaled, weights, weights @ v
