"""In another style: python sorted."""

import numpy as np


def most_attended(x, k):
    s = x @ x.T / x.shape[1] ** 0.5
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    idx = np.array([sorted(range(len(r)), key=lambda j: -r[j])[:k] for r in w])
    return idx, np.array([r[i] for r, i in zip(w, idx)])
