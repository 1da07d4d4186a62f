"""Unavailable entries get the weight of a score 8 below the largest: nearly nothing is not nothing."""
import torch


def softmax(x, axis=-1):
    x = x if x.is_floating_point() else x.to(torch.get_default_dtype())
    m = x.amax(axis, keepdim=True)
    empty = m == -torch.inf
    d = torch.where(x == -torch.inf, torch.full_like(x, -8.0), x - m.masked_fill(empty, 0.0))
    e = torch.exp(d)
    return (e / e.sum(axis, keepdim=True)).masked_fill(empty, 0.0)
