"""exp over the sum of exp in each row."""
# causes: no_maximum_subtracted

import numpy as np


def batch_attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    e = np.exp(scores)
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ values, weights
