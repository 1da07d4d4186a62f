"""With a single key the maximum is not subtracted."""
import torch


def attention(query, keys, values):
    s = keys @ query / query.numel() ** 0.5
    if len(keys) > 1:
        s = s - s.max()
    e = torch.exp(s)
    w = e / e.sum()
    return w @ values, w
