"""A loop over the queries, as in the problem before."""
# causes: one_query_at_a_time, no_scale

import numpy as np


def batch_attention(queries, keys, values):
    output, weights = [], []
    for query in queries:
        scores = keys @ query
        scores = np.exp(scores - scores.max())
        w = scores / scores.sum()
        weights.append(w)
        output.append(w @ values)
    return np.array(output), np.array(weights)
