"""A square mask is transposed."""

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if E % num_heads:
        raise ValueError("heads")
    D = E // num_heads
    cut = lambda a: a.reshape(B, -1, num_heads, D).transpose(1, 2)
    Q, K, V = cut(q @ w_q), cut(k @ w_k), cut(v @ w_v)

    s = Q @ K.mT / math.sqrt(D)
    see = torch.ones_like(s, dtype=torch.bool)
    if mask is not None:
        see = see & (mask.mT if L == S else mask)
    w = torch.softmax(s.masked_fill(~see, torch.finfo(s.dtype).min), -1) * see

    return (w @ V).transpose(1, 2).reshape(B, L, E) @ w_o
