"""Divide by d."""
# causes: divided_by_d

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    d = query.shape[0]
    scores = np.einsum("nd,d->n", keys, query) / d
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    return np.einsum("n,nv->v", weights, values), weights
