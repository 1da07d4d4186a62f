"""Einsum scores, x scaled on both sides by the fourth root of D, stable sort of the negated weights."""

import numpy as np


def most_attended(x, k):
    y = x / x.shape[1] ** 0.25
    scores = np.einsum("id,jd->ij", y, y)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    order = np.argsort(-w, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(w, order, axis=1)
