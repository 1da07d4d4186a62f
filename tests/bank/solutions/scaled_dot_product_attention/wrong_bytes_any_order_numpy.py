"""Copies the bytes in whatever order they lie and reads them back row by row."""
import numpy as np


def private(a):
    return np.frombuffer(a.tobytes(order="A"), dtype=a.dtype).reshape(a.shape)


def scaled_dot_product_attention(q, k, v, scale=None):
    q, k, v = private(q), private(k), private(v)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = q @ np.swapaxes(k, -2, -1) * scale
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
