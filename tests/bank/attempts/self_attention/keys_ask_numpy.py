"""Compare each key with all queries."""
# causes: keys_ask_queries

import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = np.einsum("id,jd->ij", k, q) / np.sqrt(q.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return np.einsum("ij,jd->id", weights, v), weights
