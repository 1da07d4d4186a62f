"""Add 1e-9 to the sums, as always."""
# causes: none

import numpy as np


def batch_attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = np.dot(queries, keys.T) / np.sqrt(queries.shape[-1])
    exp_scores = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    weights = exp_scores / (np.sum(exp_scores, axis=1, keepdims=True) + 1e-9)
    return np.dot(weights, values), weights
