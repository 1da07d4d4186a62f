"""The output is the mean of the weighted values."""
# causes: mean_of_the_weighted_values, no_scale

import numpy as np


def attention(query, keys, values):
    scores = keys @ query
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    output = (weights[:, None] * values).mean(axis=0)
    return output, weights
