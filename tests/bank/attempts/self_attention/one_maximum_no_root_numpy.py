"""Softmax of the products, with the maximum taken off."""
# causes: maximum_of_everything, no_scale

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    S = Q @ K.T
    A = np.exp(S - S.max())
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V, A
