"""Accumulators of the default type: float32 goes in and float64 comes out, which is no mistake."""

import numpy as np


def attention_statistics(weights):
    h, l, s = weights.shape
    entropy, received, diagonal = np.zeros(h), np.zeros(s), np.zeros(min(l, s))
    for i in range(h):
        w = weights[i]
        entropy[i] = -(w[w > 0] * np.log(w[w > 0])).sum() / l
        received += w.sum(axis=0) / h
        diagonal += np.diag(w) / h
    return entropy, received, diagonal
