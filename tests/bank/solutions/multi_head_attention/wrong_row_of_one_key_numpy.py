"""Divides by the sum plus 1e-3, so every row sums to a little less than 1."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("no")
    D = E // num_heads
    cut = lambda x: x.reshape(B, -1, num_heads, D).swapaxes(1, 2)
    s = cut(q @ w_q) @ cut(k @ w_k).swapaxes(-1, -2) / D**0.5
    if mask is not None:
        s = np.where(mask, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True))
    if mask is not None:
        e = e * mask
    w = e / (e.sum(-1, keepdims=True) + 1e-3)
    return (w @ cut(v @ w_v)).swapaxes(1, 2).reshape(B, L, E) @ w_o
