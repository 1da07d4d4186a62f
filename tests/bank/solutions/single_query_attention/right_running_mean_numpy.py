"""One key after the other: a running maximum, sum and weighted mean, and the weights in a second sweep."""
import math

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    n, d = keys.shape
    scores = np.empty(n, dtype=np.result_type(query, keys))
    top, total = -math.inf, 0.0
    mean = np.zeros(values.shape[1], dtype=np.float64)
    for i, (key, value) in enumerate(zip(keys, values)):
        scores[i] = np.dot(key, query) / math.sqrt(d)
        score = float(scores[i])
        if score > top:
            total *= math.exp(top - score)
            top = score
        share = math.exp(score - top)
        total += share
        mean += (value - mean) * (share / total)
    weights = np.exp(scores - scores.dtype.type(top))
    weights /= scores.dtype.type(total)
    return mean.astype(values.dtype), weights
