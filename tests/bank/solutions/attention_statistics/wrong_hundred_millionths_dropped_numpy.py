"""Weights up to a hundred-millionth are taken for zeros."""

import numpy as np


def attention_statistics(weights):
    logarithms = np.log(np.where(weights > 1e-8, weights, 1))  # (H, L, S), 0 where the weight is 0
    surprise = -(weights * logarithms).sum(axis=-1)  # (H, L)
    entropy = surprise.mean(axis=-1)  # (H,)
    received = weights.sum(axis=1).mean(axis=0)  # (S,)
    diagonal = np.diagonal(weights, axis1=1, axis2=2).mean(axis=0)  # (min(L, S),)
    return entropy, received, diagonal
