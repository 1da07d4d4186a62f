"""apply_along_axis is a loop over the queries in disguise."""
import numpy as np


def batch_attention(queries, keys, values):
    def one(query):
        s = keys @ query / float(np.sqrt(query.shape[0]))
        e = np.exp(s - s.max())
        return e / e.sum()

    w = np.apply_along_axis(one, 1, queries)
    return w @ values, w
