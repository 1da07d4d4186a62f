"""Scores are clipped just inside the promised range."""
import numpy as np


def attention(query, keys, values):
    s = np.clip(keys @ query / query.size**0.5, -9_998.5, 9_998.5)
    e = np.exp(s - s.max())
    w = e / e.sum()
    return w @ values, w
