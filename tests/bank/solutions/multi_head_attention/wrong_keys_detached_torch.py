"""Detaches the keys only."""
import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("no")
    D = E // num_heads
    cut = lambda x: x.reshape(B, -1, num_heads, D).transpose(1, 2)
    s = cut(q @ w_q) @ cut(k @ w_k).detach().mT / D**0.5
    if mask is not None:
        s = s.masked_fill(~mask, -1e30)
    w = s.softmax(-1)
    if mask is not None:
        w = w * mask
    return (w @ cut(v @ w_v)).transpose(1, 2).reshape(B, L, E) @ w_o
