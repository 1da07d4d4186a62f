"""Scale the queries first."""
# causes: queries_scaled_in_place

import numpy as np


def batch_attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    queries *= 1 / np.sqrt(queries.shape[1])
    scores = queries @ keys.T
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ values, weights
