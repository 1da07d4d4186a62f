"""With dv = 1 the output is a number."""
import numpy as np


def attention(query, keys, values):
    s = keys @ query / query.size**0.5
    e = np.exp(s - s.max())
    w = e / e.sum()
    return (w @ values).squeeze(), w
