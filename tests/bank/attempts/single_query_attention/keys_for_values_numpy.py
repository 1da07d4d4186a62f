"""The weighted mean of the keys."""
# causes: keys_in_place_of_values

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = keys @ query / np.sqrt(query.shape[0])
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    output = np.zeros(keys.shape[1])
    for w, key in zip(weights, keys):
        output += w * key
    return output, weights
