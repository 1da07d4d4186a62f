import math

import numpy as np


def most_attended(x, k):
    d = x.shape[-1]
    scores = x @ x.T / math.sqrt(d)  # (n, n)
    scores = scores - scores.max(axis=-1, keepdims=True)  # (n, n)
    weights = np.exp(scores)  # (n, n)
    weights = weights / weights.sum(axis=-1, keepdims=True)  # (n, n)
    # (n, n), the largest first, ties in the order of the keys
    order = np.argsort(-weights, axis=-1, kind="stable")
    indices = order[:, :k]  # (n, k)
    return indices, np.take_along_axis(weights, indices, axis=-1)  # (n, k), (n, k)
