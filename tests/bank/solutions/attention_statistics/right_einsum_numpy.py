"""Einsum for every sum, logarithm only where the weight is positive."""

import numpy as np


def attention_statistics(weights):
    h, l, s = weights.shape
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    entropy = np.einsum("hls,hls->h", weights, logs) / -l
    received = np.einsum("hls->s", weights) / h
    n = min(l, s)
    diagonal = np.einsum("hii->i", weights[:, :n, :n]) / h
    return entropy, received, diagonal
