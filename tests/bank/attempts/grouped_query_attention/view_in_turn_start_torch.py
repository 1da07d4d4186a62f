"""Queries viewed as (B, H / G, G, …), the two axes exchanged, the mask of the start."""
# causes: queries_split_in_turn, aligned_to_start

import torch


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G:
        raise ValueError("x")
    q = q.view(B, H // G, G, L, D).transpose(1, 2)
    s = torch.einsum("bgrld,bgsd->bgrls", q, k) / D**0.5
    if causal:
        s = s.masked_fill(torch.triu(torch.ones(L, S, dtype=torch.bool), 1), float("-inf"))
    w = torch.nan_to_num(s.softmax(-1))
    return torch.einsum("bgrls,bgsd->bgrld", w, v).reshape(B, H, L, -1)
