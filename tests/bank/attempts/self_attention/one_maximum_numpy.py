"""Take off the maximum first."""
# causes: maximum_of_everything

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    S = Q @ K.T / np.sqrt(Q.shape[1])
    A = np.exp(S - np.max(S))
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V, A
