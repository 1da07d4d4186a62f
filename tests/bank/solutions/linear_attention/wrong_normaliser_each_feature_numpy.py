"""Divides the summary by the sum of the keys feature by feature, before the queries read it."""

import numpy as np


def linear_attention(q, k, v):
    q = np.where(q > 0, q + 1, np.exp(q))
    k = np.where(k > 0, k + 1, np.exp(k))
    kv = k.swapaxes(1, 2) @ v / k.sum(axis=1)[..., None]
    return q @ kv / q.sum(axis=-1, keepdims=True)
