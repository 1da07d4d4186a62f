"""The number taken off is the largest in size, so very negative scores all vanish."""
import torch


def attention(query, keys, values):
    s = keys @ query / query.numel() ** 0.5
    e = torch.exp(s - s.abs().max())
    w = e / e.sum()
    return w @ values, w
