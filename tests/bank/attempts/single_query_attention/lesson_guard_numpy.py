"""The usual 1e-9 beside the sum."""
# causes: none

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = np.dot(keys, query) / np.sqrt(len(query))
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / (e.sum() + 1e-9)
    return np.dot(weights, values), weights
