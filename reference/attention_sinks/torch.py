"""Attention with a learned sink for each head (gpt-oss model card 2025, section 2)."""

import math

import torch


def attention_with_sinks(q, k, v, sinks):
    """q (B, H, L, D), k (B, H, S, D), v (B, H, S, Dv), sinks (H,) -> (B, H, L, Dv)."""
    B, H, L, D = q.shape
    scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (B, H, L, S)
    sink = sinks[:, None, None].expand(B, H, L, 1)  # the same for every query

    shares = torch.softmax(torch.cat([scores, sink], dim=-1), dim=-1)  # (B, H, L, S + 1)
    weights = shares[..., :-1]  # (B, H, L, S), each row sums to less than 1
    return weights @ v  # (B, H, L, Dv)
