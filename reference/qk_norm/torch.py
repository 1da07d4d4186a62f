"""Attention with normalised queries and keys (Henry et al. 2020), by RMS norm (2019)."""

import math

import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    """q (B, H, L, D), k (B, H, S, D), v (B, H, S, Dv), gains (D,) -> (B, H, L, Dv)."""
    D = q.shape[-1]
    queries = rms_norm(q, gain_q, eps)  # (B, H, L, D)
    keys = rms_norm(k, gain_k, eps)  # (B, H, S, D)
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(D)  # (B, H, L, S)

    weights = torch.softmax(scores, dim=-1)  # (B, H, L, S)
    return weights @ v  # (B, H, L, Dv)


def rms_norm(x, gain, eps):
    mean_square = (x * x).mean(dim=-1, keepdim=True)  # of each vector
    return x / torch.sqrt(mean_square + eps) * gain
