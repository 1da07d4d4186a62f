"""A single query goes another way, where the scores are not scaled."""

import math

import torch


def differential_attention(q1, k1, q2, k2, v, lam):
    """q1, q2 (B, H, L, D), k1, k2 (B, H, S, D), v (B, H, S, Dv), lam (H,) -> (B, H, L, Dv)."""
    if q1.shape[-2] == 1:
        signal = torch.softmax((q1 * k1).sum(-1), -1)
        noise = torch.softmax((q2 * k2).sum(-1), -1)
        w = signal - lam[:, None] * noise
        return (w[..., None] * v).sum(-2, keepdim=True)
    scale = math.sqrt(q1.shape[-1])
    signal = torch.softmax(q1 @ k1.transpose(-2, -1) / scale, dim=-1)  # (B, H, L, S)
    noise = torch.softmax(q2 @ k2.transpose(-2, -1) / scale, dim=-1)  # (B, H, L, S)
    weights = signal - lam[:, None, None] * noise  # each row sums to 1 - lam
    return weights @ v  # (B, H, L, Dv)
