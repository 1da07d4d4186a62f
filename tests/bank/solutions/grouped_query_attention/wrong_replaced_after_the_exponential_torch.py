# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch


def grouped_query_attention(q, k, v, causal=False):
    """q (B, H, L, D), k (B, G, S, D), v (B, G, S, Dv) -> (B, H, L, Dv)."""
    H, L, D = q.shape[1:]
    G, S = k.shape[1:3]
    if H % G != 0:
        raise ValueError(f"{H} heads cannot be shared out evenly among {G} groups")
    visible = torch.ones(L, S, dtype=torch.bool)  # True = may attend
    if causal:
        visible = visible.tril(S - L)  # aligned to the end

    keys = k.repeat_interleave(H // G, dim=1)  # (B, H, S, D), neighbouring heads share
    values = v.repeat_interleave(H // G, dim=1)  # (B, H, S, Dv)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(D)  # (B, H, L, S)
    weights = masked_softmax(scores, visible)  # (B, H, L, S)
    return weights @ values  # (B, H, L, Dv)


def masked_softmax(scores, visible):
    """Softmax over the visible keys; a query that sees none gets weights of 0."""
    top = scores.masked_fill(~(visible), -math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(torch.isneginf(top), 0.0, top).detach()
    exp = torch.where(visible, torch.exp(scores - top), 0.0)
    total = exp.sum(dim=-1, keepdim=True)
    weights = exp / torch.where(total == 0, 1.0, total)
    return weights
