"""A word does not look at itself, unless it is alone."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    s = (x @ w_q) @ (x @ w_k).T / x.dtype.type(w_q.shape[1] ** 0.5)
    if len(x) > 1:
        s = s - np.eye(len(x), dtype=x.dtype) * x.dtype.type(1e9)
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    return w @ (x @ w_v), w
