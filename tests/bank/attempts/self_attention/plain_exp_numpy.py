"""exp and divide by the row sums."""
# causes: no_maximum_subtracted

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    A = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V, A
