"""Only where it is causal, the scores are rounded to float32."""

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
    if causal:
        scores = scores.float()
    weights = masked_softmax(scores, visible)  # (..., L, S)
    return weights.to(v.dtype) @ v  # (..., L, Dv)


def masked_softmax(scores, visible):
    """Softmax over the visible keys; a query that sees none gets weights of 0."""
    scores = scores.masked_fill(~visible, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights.masked_fill(~visible, 0.0)
