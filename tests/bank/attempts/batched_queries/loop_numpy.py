"""Use the function for one query for each query."""
# causes: one_query_at_a_time

import numpy as np


def batch_attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    output = np.zeros((len(queries), values.shape[1]))
    weights = np.zeros((len(queries), len(keys)))
    for i, query in enumerate(queries):
        scores = keys @ query / np.sqrt(query.shape[0])
        e = np.exp(scores - scores.max())
        weights[i] = e / e.sum()
        output[i] = weights[i] @ values
    return output, weights
