"""Subtract the maximum in place to save memory."""
# causes: written_in_place

import numpy as np


def online_softmax(blocks):
    m = max(x.max() for x in blocks)
    if m == -np.inf:
        return np.zeros(sum(len(x) for x in blocks), dtype=blocks[0].dtype)
    total = 0.0
    for x in blocks:
        x -= m
        total += np.exp(x).sum()
    return np.exp(np.concatenate(blocks)) / total
