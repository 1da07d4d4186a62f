"""Take off the largest score."""
# causes: maximum_of_everything

import numpy as np


def batch_attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    e = np.exp(scores - np.max(scores))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ values, weights
