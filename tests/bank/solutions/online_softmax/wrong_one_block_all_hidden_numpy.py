"""A single block goes through a plain softmax, which is NaN where nothing is visible."""

import numpy as np


def online_softmax(blocks):
    """blocks of shapes (n_1,), (n_2,), … -> weights (n_1 + n_2 + …,)."""
    if len(blocks) == 1:
        e = np.exp(blocks[0] - blocks[0].max())
        return e / e.sum()
    maximum = np.full((), -np.inf, blocks[0].dtype)  # of the scores so far
    total = np.zeros((), blocks[0].dtype)  # of their exponentials, relative to the maximum
    for block in blocks:
        higher = np.maximum(maximum, block.max())
        total = total * np.exp(maximum - finite(higher))
        total = total + np.exp(block - finite(higher)).sum()
        maximum = higher

    weights = np.concatenate([np.exp(block - finite(maximum)) for block in blocks])  # (n,)
    return weights / np.where(total == 0, 1, total)  # 0 / 1 where nothing is visible


def finite(maximum):
    return np.where(np.isneginf(maximum), 0, maximum)  # -inf - -inf would be NaN
