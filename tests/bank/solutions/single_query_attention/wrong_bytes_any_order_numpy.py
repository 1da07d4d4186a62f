"""Copies the bytes of the values in whatever order they lie and reads them back row by row."""
import numpy as np


def attention(query, keys, values):
    values = np.frombuffer(values.tobytes(order="A"), dtype=values.dtype).reshape(values.shape)
    scores = keys @ query / len(query) ** 0.5
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    return weights @ values, weights
