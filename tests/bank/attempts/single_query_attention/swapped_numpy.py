"""First the weights, then the output, as they are worked out."""
# causes: results_exchanged

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = keys @ query / np.sqrt(query.shape[0])
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    return weights, weights @ values
