# one pass over the keys; maximum, sum and mean are carried along
import math

import numpy as np


def attention(query, keys, values):
    root = math.sqrt(query.shape[0])
    scores = np.empty(keys.shape[0], dtype=query.dtype)
    mean = np.zeros(values.shape[1], dtype=query.dtype)
    top, total = -math.inf, 0.0
    for i, (key, value) in enumerate(zip(keys, values)):
        scores[i] = np.dot(key, query) / root
        score = float(scores[i])
        higher = max(top, score)
        mend, share = math.exp(top - higher), math.exp(score - higher)
        total = total * mend + share
        mean = mean + (value - mean) * (share / total)
        top = higher
    return mean, np.exp(scores - top) / total
