"""Sums over the queries, without a maximum."""
# causes: softmax_over_queries, no_maximum_subtracted

import numpy as np


def batch_attention(queries, keys, values):
    d = queries.shape[1]
    scores = np.matmul(queries, keys.T) / np.sqrt(d)
    weights = np.exp(scores) / np.sum(np.exp(scores), axis=0)
    return np.matmul(weights, values), weights
