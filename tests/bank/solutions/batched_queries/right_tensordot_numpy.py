"""tensordot, and weights in log space."""
import numpy as np


def batch_attention(queries, keys, values):
    scores = np.tensordot(queries, keys, axes=(1, 1)) / queries.dtype.type(queries.shape[1] ** 0.5)
    scores -= scores.max(axis=1)[:, np.newaxis]
    weights = np.exp(scores)
    np.divide(weights, weights.sum(axis=1)[:, np.newaxis], out=weights)
    return np.tensordot(weights, values, axes=1), weights
