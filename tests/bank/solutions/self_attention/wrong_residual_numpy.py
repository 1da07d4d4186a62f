"""The words are added to the output where the widths agree, as in a transformer block."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    s = (x @ w_q) @ (x @ w_k).T / w_q.shape[1] ** 0.5
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    out = w @ (x @ w_v)
    return (out + x if out.shape == x.shape else out), w
