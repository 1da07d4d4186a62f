"""The scale uses the whole size of keys."""
import numpy as np


def attention(query, keys, values):
    s = keys @ query / keys.size**0.5
    e = np.exp(s - s.max())
    w = e / e.sum()
    return w @ values, w
