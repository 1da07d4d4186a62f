"""The same with einsum."""
# causes: none

import numpy as np


def batch_attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = np.einsum("bd,nd->bn", queries, keys) / np.sqrt(queries.shape[1])
    scores -= scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.einsum("bn,nv->bv", weights, values), weights
