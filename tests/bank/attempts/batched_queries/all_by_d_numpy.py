"""All weights sum to 1; divided by d."""
# causes: normalised_as_a_whole, divided_by_d

import numpy as np


def batch_attention(queries, keys, values):
    scores = queries @ keys.T / queries.shape[1]
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    w = e / e.sum()
    return w @ values, w
