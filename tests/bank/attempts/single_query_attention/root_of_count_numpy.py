"""Divide by the root of the number of keys."""
# causes: root_of_key_count

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = keys @ query / np.sqrt(len(keys))
    e = np.exp(scores - np.max(scores))
    weights = e / np.sum(e)
    return weights @ values, weights
