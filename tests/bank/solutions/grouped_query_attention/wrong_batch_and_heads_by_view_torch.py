"""Batch and heads are merged with view, which refuses what a transposition made."""
import math

import torch


def grouped_query_attention(q, k, v, causal=False):
    (B, H, L, D), (G, S) = q.shape, k.shape[1:3]
    if H % G:
        raise ValueError("the groups do not share the heads evenly")
    keys = k.repeat_interleave(H // G, dim=1).view(B * H, S, D)
    values = v.repeat_interleave(H // G, dim=1).view(B * H, S, v.shape[-1])
    scores = torch.bmm(q.view(B * H, L, D), keys.mT) / math.sqrt(D)
    hidden = torch.ones(L, S, dtype=torch.bool).triu(S - L + 1) if causal else None
    if hidden is not None:
        scores = scores.masked_fill(hidden, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    if hidden is not None:
        weights = weights.masked_fill(hidden, 0.0)
    return torch.bmm(weights, values).view(B, H, L, -1)
