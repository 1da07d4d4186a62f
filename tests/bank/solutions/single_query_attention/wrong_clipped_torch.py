"""Scores are clipped to ±80 instead of the maximum being subtracted."""
import torch


def attention(query, keys, values):
    e = torch.exp((keys @ query / query.shape[0] ** 0.5).clamp(-80, 80))
    w = e / e.sum()
    return w @ values, w
