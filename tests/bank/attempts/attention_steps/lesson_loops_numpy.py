"""The scores pair by pair."""
# causes: none

import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    n = x.shape[0]
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    d_k = q.shape[1]
    scores = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            scores[i, j] = np.sum(q[i] * k[j])
    scaled = scores / np.sqrt(d_k)
    weights = np.zeros((n, n))
    for i in range(n):
        e = np.exp(scaled[i] - np.max(scaled[i]))
        weights[i] = e / np.sum(e)
    return scores, scaled, weights, weights @ v
