"""Argpartition finds the right tokens and leaves them in no particular order."""

import numpy as np


def most_attended(x, k):
    s = x @ x.T / x.shape[1] ** 0.5
    w = np.exp(s - s.max(axis=1, keepdims=True))
    w = w / w.sum(axis=1, keepdims=True)
    order = np.argpartition(-w, k - 1, axis=1)[:, :k]
    return order, np.take_along_axis(w, order, axis=1)
