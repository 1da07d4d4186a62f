"""The output passes through w_v again where that is possible: right unless w_v is square."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    s = (x @ w_q) @ (x @ w_k).T / w_q.shape[1] ** 0.5
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    out = w @ (x @ w_v)
    return (out @ w_v if w_v.shape[0] == w_v.shape[1] else out), w
