"""Only where there is a mask, the softmax runs in float32."""

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if num_heads < 1 or E % num_heads:
        raise ValueError("num_heads must divide E")
    D = E // num_heads
    qh = (q @ w_q).reshape(B, L, num_heads, D).transpose(1, 2)
    kh = (k @ w_k).reshape(B, S, num_heads, D).transpose(1, 2)
    vh = (v @ w_v).reshape(B, S, num_heads, D).transpose(1, 2)
    s = qh @ kh.transpose(-1, -2) / D ** 0.5
    if mask is None:
        w = torch.softmax(s, dim=-1)
    else:
        s = s.masked_fill(~mask, torch.finfo(torch.float32).min)
        w = torch.softmax(s, dim=-1, dtype=torch.float32).to(s.dtype)
        w = w.masked_fill(~mask, 0.0)
    return (w @ vh).transpose(1, 2).reshape(B, L, E) @ w_o
