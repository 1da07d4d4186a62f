"""Divide by the root of the number of queries."""
# causes: root_of_query_count

import numpy as np


def batch_attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = queries @ keys.T / np.sqrt(len(queries))
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ values, weights
