"""Take off the smallest score to keep exp small."""
# causes: other: the smallest score is subtracted, divided_by_d

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = keys @ query / len(query)
    e = np.exp(scores - scores.min())
    weights = e / e.sum()
    return weights @ values, weights
