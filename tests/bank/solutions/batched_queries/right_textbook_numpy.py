"""The lessons' usual lines: np.sqrt makes everything float64, and 1e-9 guards the division."""
import numpy as np


def batch_attention(queries, keys, values):
    d_k = queries.shape[-1]
    scores = np.matmul(queries, keys.T) / np.sqrt(d_k)
    exps = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = exps / (np.sum(exps, axis=-1, keepdims=True) + 1e-9)
    return np.matmul(weights, values), weights
