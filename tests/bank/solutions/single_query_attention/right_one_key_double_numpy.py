"""A single key takes a shortcut that forgets the dtype."""
import numpy as np


def attention(query, keys, values):
    if len(keys) == 1:
        return values[0], np.ones(1)
    scores = keys @ query / query.dtype.type(np.sqrt(query.size))
    e = np.exp(scores - scores.max())
    w = e / e.sum()
    return w @ values, w
