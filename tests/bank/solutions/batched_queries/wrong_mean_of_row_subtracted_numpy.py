"""The mean of a row is subtracted, which is safe for scores that lie close together only."""
import numpy as np


def batch_attention(queries, keys, values):
    s = queries @ keys.T / keys.shape[1] ** 0.5
    e = np.exp(s - s.mean(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ values, w
