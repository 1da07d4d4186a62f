"""Queries viewed as groups."""
# causes: none

import torch


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    _, G, S, Dv = v.shape
    if H % G:
        raise ValueError(f"{H} is not a multiple of {G}")
    q = q.reshape(B, G, H // G, L, D)
    scores = torch.einsum("bghld,bgsd->bghls", q, k) / D**0.5
    hidden = torch.zeros(L, S, dtype=torch.bool)
    if causal:
        hidden = torch.ones(L, S, dtype=torch.bool).triu(S - L + 1)
    w = scores.masked_fill(hidden, -1e30).softmax(dim=-1).masked_fill(hidden, 0)
    return torch.einsum("bghls,bgsv->bghlv", w, v).reshape(B, H, L, Dv)
