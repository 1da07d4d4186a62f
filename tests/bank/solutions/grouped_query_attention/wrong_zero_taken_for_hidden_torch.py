# wrong: scores above the diagonal are made 0, and then every score of 0 counts as hidden; a query of zeros has honest scores of 0 and loses them
import math

import torch


def grouped_query_attention(q, k, v, causal=False):
    """q (B, H, L, D), k (B, G, S, D), v (B, G, S, Dv) -> (B, H, L, Dv)."""
    H, L, D = q.shape[1:]
    G, S = k.shape[1:3]
    if H % G != 0:
        raise ValueError(f"{H} heads cannot be shared out evenly among {G} groups")
    visible = torch.ones(L, S, dtype=torch.bool)  # True = may attend

    keys = k.repeat_interleave(H // G, dim=1)  # (B, H, S, D), neighbouring heads share
    values = v.repeat_interleave(H // G, dim=1)  # (B, H, S, Dv)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(D)  # (B, H, L, S)
    if causal:
        scores = scores.tril(S - L)
        visible = scores != 0
    weights = masked_softmax(scores, visible)  # (B, H, L, S)
    return weights @ values  # (B, H, L, Dv)


def masked_softmax(scores, visible):
    """Softmax over the visible keys; a query that sees none gets weights of 0."""
    scores = scores.masked_fill(~visible, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights.masked_fill(~visible, 0.0)
