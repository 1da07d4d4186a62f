"""A row that sees nothing becomes zeros where the mask has four axes, and NaN where it has two."""

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """q (B, L, E), k and v (B, S, E), w_* (E, E), boolean mask -> (B, L, E)."""
    L, S, E = q.shape[1], k.shape[1], q.shape[2]
    if E % num_heads != 0:
        raise ValueError(f"a width of {E} cannot be shared out evenly among {num_heads} heads")
    if mask is None:
        mask = torch.ones(L, S, dtype=torch.bool)
    D = E // num_heads

    queries = split_heads(q @ w_q, num_heads)  # (B, H, L, D)
    keys = split_heads(k @ w_k, num_heads)  # (B, H, S, D)
    values = split_heads(v @ w_v, num_heads)  # (B, H, S, D)

    scores = queries @ keys.transpose(-2, -1) / math.sqrt(D)  # (B, H, L, S)
    weights = masked_softmax(scores, mask)  # (B, H, L, S)
    heads = weights @ values  # (B, H, L, D)
    return merge_heads(heads) @ w_o  # (B, L, E)


def split_heads(x, num_heads):
    B, n, E = x.shape
    return x.reshape(B, n, num_heads, E // num_heads).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)


def masked_softmax(scores, mask):
    scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights.masked_fill(~mask, 0.0) if mask.dim() == 4 else weights  # a row with no visible key becomes 0
