"""Sums in float64, and keeps the summary of keys and values in float32."""

import numpy as np


def linear_attention(q, k, v):
    q = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    k = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    summary = (k.swapaxes(1, 2) @ v).astype(np.float32)
    return q @ summary / (q @ k.sum(axis=1)[..., None])
