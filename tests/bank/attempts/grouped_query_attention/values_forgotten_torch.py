"""Keys repeated; values are left to broadcasting."""
# causes: broadcast_only

import math

import torch


def grouped_query_attention(q, k, v, causal=False):
    H, G = q.shape[1], k.shape[1]
    if H % G != 0:
        raise ValueError("bad groups")
    k = k.repeat_interleave(H // G, dim=1)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    L, S = s.shape[-2:]
    keep = torch.ones(L, S, dtype=torch.bool).tril(S - L if causal else S)
    w = s.masked_fill(~keep, -1e30).softmax(dim=-1) * keep
    return w @ v
