"""The lessons' usual lines: np.sqrt makes everything float64, and 1e-9 guards the division."""
import numpy as np


def attention(query, keys, values):
    scores = np.dot(keys, query) / np.sqrt(query.shape[0])
    exps = np.exp(scores - np.max(scores))
    weights = exps / (np.sum(exps) + 1e-9)
    return np.dot(weights, values), weights
