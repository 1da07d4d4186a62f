"""Hides the past instead of the future."""
# causes: triangle_swapped

import math

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S = q.shape[1], k.shape[1]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if padding_mask is not None:
        scores = scores.masked_fill(~padding_mask[:, None, :], float("-inf"))
    if causal:
        past = torch.tril(torch.ones(L, S, dtype=torch.bool), diagonal=S - L - 1)
        scores = scores.masked_fill(past, float("-inf"))
    blind = torch.isinf(scores).all(-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(blind, 0.0), dim=-1).masked_fill(blind, 0.0)
    return weights @ v, weights
