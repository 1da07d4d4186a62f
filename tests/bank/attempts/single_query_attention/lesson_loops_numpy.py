"""One key at a time, with plain loops."""
# causes: none

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    n, d = keys.shape
    scores = np.zeros(n)
    for i in range(n):
        for j in range(d):
            scores[i] += query[j] * keys[i, j]
    scores = scores / np.sqrt(d)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    output = np.zeros(values.shape[1])
    for i in range(n):
        output += weights[i] * values[i]
    return output, weights
