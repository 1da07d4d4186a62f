"""Dot products, exp, divide by the sum."""
# causes: no_maximum_subtracted, no_scale

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    scores = np.array([np.dot(query, k) for k in keys])
    weights = np.exp(scores) / np.exp(scores).sum()
    return weights.dot(values), weights
