"""tensordot, vdot of norms, and log space."""
import numpy as np


def attention(query, keys, values):
    scores = np.tensordot(keys, query, axes=([1], [0])) / query.dtype.type(np.sqrt(query.size))
    weights = np.exp(scores - np.logaddexp.reduce(scores))
    return np.tensordot(weights, values, axes=1), weights
