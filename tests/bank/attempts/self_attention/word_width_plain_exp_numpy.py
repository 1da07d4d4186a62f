"""The formula, with d from x."""
# causes: root_of_word_width, no_maximum_subtracted

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    n, d = x.shape
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    A = np.exp(Q @ K.T / np.sqrt(d))
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V, A
