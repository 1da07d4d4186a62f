"""Scores above 9996 are cut off."""
import numpy as np


def most_attended(x, k):
    s = np.minimum(x @ x.T / x.shape[1] ** 0.5, 9_996)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    i = np.argsort(-w, axis=1, kind="stable")[:, :k]
    return i, np.take_along_axis(w, i, axis=1)
