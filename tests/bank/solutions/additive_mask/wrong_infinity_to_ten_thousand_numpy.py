"""Minus infinity is made a number that scores can beat."""
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    s = (x @ w_q) @ (x @ w_k).T / x.dtype.type(w_q.shape[1] ** 0.5)
    if mask is not None:
        s = s + np.nan_to_num(mask, neginf=-1e4)
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    return w @ (x @ w_v), w
