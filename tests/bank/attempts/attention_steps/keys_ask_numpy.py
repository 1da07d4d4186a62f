"""Row i belongs to key i, and the output uses x."""
# causes: keys_ask_queries, words_instead_of_values

import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    q, k = x @ w_q, x @ w_k
    scores = k @ q.T
    scaled = scores / np.sqrt(q.shape[1])
    e = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return scores, scaled, weights, weights @ x
