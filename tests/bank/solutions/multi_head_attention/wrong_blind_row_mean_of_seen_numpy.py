"""Fills a row that sees nothing with the first value instead of zeros (argmax of an all -inf row)."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("no")
    D = E // num_heads
    cut = lambda x: x.reshape(B, -1, num_heads, D).swapaxes(1, 2)
    s = cut(q @ w_q) @ cut(k @ w_k).swapaxes(-1, -2) / D**0.5
    if mask is not None:
        mask = np.broadcast_to(mask, s.shape).copy()
        mask[..., 0] |= ~mask.any(-1)
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ cut(v @ w_v)).swapaxes(1, 2).reshape(B, L, E) @ w_o
