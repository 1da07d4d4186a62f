"""The sum loses its axis and broadcasts against the keys where the matrix is square."""
import numpy as np


def batch_attention(queries, keys, values):
    s = queries @ keys.T / queries.shape[1] ** 0.5
    e = np.exp(s - s.max(axis=1, keepdims=True))
    total = e.sum(axis=1)
    w = e / (total if e.shape[0] == e.shape[1] else total[:, None])
    return w @ values, w
