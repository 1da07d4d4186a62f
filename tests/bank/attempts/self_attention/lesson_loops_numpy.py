"""A row at a time into arrays of zeros."""
# causes: none

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    n = x.shape[0]
    q, k, v = x.dot(w_q), x.dot(w_k), x.dot(w_v)
    weights = np.zeros((n, n))
    for i in range(n):
        row = np.array([np.dot(q[i], k[j]) for j in range(n)]) / np.sqrt(q.shape[1])
        row = np.exp(row - row.max())
        weights[i] = row / row.sum()
    return weights @ v, weights
