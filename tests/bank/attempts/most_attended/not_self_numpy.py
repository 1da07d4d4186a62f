"""A word does not look at itself."""
# causes: itself_hidden, no_maximum

import numpy as np


def most_attended(x, k):
    s = x @ x.T / np.sqrt(x.shape[1])
    np.fill_diagonal(s, -np.inf)
    e = np.exp(s)
    w = e / e.sum(axis=1, keepdims=True)
    idx = np.argsort(-w, axis=1)[:, :k]
    return idx, np.take_along_axis(w, idx, axis=1)
