"""Axes of size 1 disappear."""
import numpy as np


def phi(x):
    return np.exp(np.minimum(x, 0)) + np.maximum(x, 0)


def causal_linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    top = sum(q[..., d, None] * np.cumsum(k[..., d, None] * v, axis=1) for d in range(q.shape[-1]))
    out = top / (q * np.cumsum(k, axis=1)).sum(axis=-1, keepdims=True)
    return out.squeeze(-1) if out.shape[-1] == 1 else out
