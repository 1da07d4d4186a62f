"""Worked out in float32, handed back in the dtype that came."""
import numpy as np


def batch_attention(queries, keys, values):
    q, k, v = (a.astype(np.float32) for a in (queries, keys, values))
    s = q @ k.T / np.float32(q.shape[1] ** 0.5)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return (w @ v).astype(values.dtype), w.astype(values.dtype)
