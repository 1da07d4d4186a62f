"""exp of the scores over the sum of exp."""
# causes: no_maximum_subtracted

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = keys @ query / np.sqrt(query.shape[0])
    weights = np.exp(scores) / np.sum(np.exp(scores))
    return weights @ values, weights
