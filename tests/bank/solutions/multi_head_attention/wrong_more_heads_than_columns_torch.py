"""More heads than columns raise another error."""

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if num_heads <= E and E % num_heads:
        raise ValueError
    d = E // num_heads
    sp = lambda x: x.reshape(B, -1, num_heads, d).transpose(1, 2)
    Q, K, V = sp(q @ w_q), sp(k @ w_k), sp(v @ w_v)
    s = Q @ K.mT / math.sqrt(d)
    if mask is None:
        mask = torch.ones(s.shape[-2:], dtype=torch.bool)
    s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    w = torch.softmax(s, -1) * mask
    return (w @ V).transpose(1, 2).reshape(B, L, E) @ w_o
