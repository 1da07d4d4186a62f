"""In another style: float64 inside."""

import numpy as np


def batch_attention(q, k, v):
    Q, K, V = (np.asarray(a, dtype=np.float64) for a in (q, k, v))
    s = np.tensordot(Q, K, axes=([1], [1])) / np.sqrt(Q.shape[1])
    s = np.exp(s - s.max(axis=1, keepdims=True))
    s /= s.sum(axis=1, keepdims=True)
    return (s @ V).astype(q.dtype), s.astype(q.dtype)
