"""Weights times the queries."""
# causes: queries_in_place_of_values, no_maximum_subtracted

import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    n = x.shape[0]
    q, k = x @ w_q, x @ w_k
    scores = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            scores[i, j] = q[i] @ k[j]
    scaled = scores / np.sqrt(q.shape[1])
    weights = np.exp(scaled)
    for i in range(n):
        weights[i] /= weights[i].sum()
    return scores, scaled, weights, weights @ q
