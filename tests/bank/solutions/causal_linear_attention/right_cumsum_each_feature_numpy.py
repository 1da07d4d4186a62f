"""A prefix sum for each feature, so that the whole table of summaries is never held."""
import numpy as np


def causal_linear_attention(q, k, v):
    a, b = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    top, bottom = np.zeros_like(v), np.zeros((*v.shape[:2], 1), v.dtype)
    for d in range(q.shape[-1]):
        top += a[..., d : d + 1] * np.cumsum(b[..., d : d + 1] * v, axis=1)
        bottom += a[..., d : d + 1] * np.cumsum(b[..., d : d + 1], axis=1)
    return top / bottom
