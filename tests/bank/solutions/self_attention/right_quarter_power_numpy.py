"""Queries and keys each scaled by d^(1/4), a constant added per row, float64 inside."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    kind, root = x.dtype, w_q.shape[1] ** 0.25
    x = x.astype(np.float64)
    s = (x @ w_q / root) @ (x @ w_k / root).T
    s += np.arange(len(x))[:, None]
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    return (w @ x @ w_v).astype(kind), w.astype(kind)
