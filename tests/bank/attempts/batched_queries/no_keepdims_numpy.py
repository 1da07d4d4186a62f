"""A row softmax without keepdims, which numpy broadcasts."""
# causes: axis_of_the_sum_lost, divided_by_d

import numpy as np


def batch_attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = queries @ keys.T / queries.shape[1]
    e = np.exp(scores - scores.max(axis=1))
    weights = e / e.sum(axis=1)
    return weights @ values, weights
