# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    """q (..., L, D), k (..., S, D), v (..., S, Dv) -> (..., L, Dv)."""
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    visible = torch.ones(L, S, dtype=torch.bool)  # True = may attend
    if causal:
        visible = visible.tril(S - L)  # aligned to the end

    scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (..., L, S)
    scores = cap * torch.tanh(scores / cap)  # between -cap and cap
    weights = masked_softmax(scores, visible)  # (..., L, S)
    return weights @ v  # (..., L, Dv)


def masked_softmax(scores, visible):
    """Softmax over the visible keys; a query that sees none gets weights of 0."""
    top = scores.masked_fill(~(visible), -math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(torch.isneginf(top), 0.0, top).detach()
    exp = torch.where(visible, torch.exp(scores - top), 0.0)
    total = exp.sum(dim=-1, keepdim=True)
    weights = exp / torch.where(total == 0, 1.0, total)
    return weights
