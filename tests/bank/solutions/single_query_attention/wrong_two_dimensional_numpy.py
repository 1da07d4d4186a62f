"""Keeps the batch of one: results of shape (1, dv) and (1, n)."""
import numpy as np


def attention(query, keys, values):
    s = query.reshape(1, -1) @ keys.T / query.shape[-1] ** 0.5
    e = np.exp(s - s.max())
    w = e / e.sum()
    return w @ values, w
