"""A loop over heads; the root of the model width; every head reads the first mask."""
# causes: scale_of_model_width, mask_of_first_head

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    E = q.shape[-1]
    if E % num_heads:
        raise ValueError("num_heads must divide E")
    d = E // num_heads
    Q, K, V = q @ w_q, k @ w_k, v @ w_v
    outs = []
    for h in range(num_heads):
        cols = slice(h * d, (h + 1) * d)
        s = Q[..., cols] @ K[..., cols].transpose(1, 2) / math.sqrt(E)
        if mask is not None:
            m = mask if mask.dim() == 2 else mask[:, 0]
            s = s.masked_fill(~m, float("-inf"))
        w = torch.nan_to_num(torch.softmax(s, dim=-1))
        outs.append(w @ V[..., cols])
    return torch.cat(outs, dim=-1) @ w_o
