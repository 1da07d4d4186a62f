"""The diagonal is aligned to the end, as a causal mask is."""
import numpy as np


def attention_statistics(weights):
    w = np.where(weights > 0, weights, weights.dtype.type(1))
    h, l, s = weights.shape
    e = -(weights * np.log(w)).sum(-1).mean(-1)
    m = weights.mean(0)
    m = m[l - min(l, s) :, s - min(l, s) :]
    return e, weights.sum(1).mean(0), np.diagonal(m)
