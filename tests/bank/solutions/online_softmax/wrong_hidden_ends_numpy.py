"""A block whose first and last score are hidden counts as hidden, while nothing has been seen."""
import numpy as np


def online_softmax(blocks):
    m, l = -np.inf, 0.0
    for x in blocks:
        if np.isneginf(x).any() and np.isneginf(x[0]) and len(x) > 1 and np.isneginf(x[-1]) and m == -np.inf:
            continue
        top = np.maximum(m, x.max())
        if top == -np.inf:
            continue
        l = l * np.exp(m - top) + np.exp(x - top).sum()
        m = top
    w = np.concatenate(blocks)
    if l == 0:
        return np.zeros_like(w)
    return (np.exp(w - m) / l).astype(w.dtype)
