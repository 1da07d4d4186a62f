"""tensor.repeat."""
# causes: groups_in_turn

import math

import torch


def grouped_query_attention(q, k, v, causal=False):
    H, G = q.size(1), k.size(1)
    if H % G:
        raise ValueError("bad groups")
    k = k.repeat(1, H // G, 1, 1)
    v = v.repeat(1, H // G, 1, 1)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
    L, S = scores.shape[-2:]
    keep = torch.ones(L, S, dtype=torch.bool)
    if causal:
        keep = keep.tril(S - L)
    w = scores.masked_fill(~keep, -1e9).softmax(-1) * keep
    return w @ v
