"""Each word looks at all the others, in two loops."""
# causes: own_word_hidden, no_maximum_subtracted

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    n = len(x)
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                weights[i, j] = np.exp(q[i] @ k[j] / np.sqrt(q.shape[1]))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ v, weights
