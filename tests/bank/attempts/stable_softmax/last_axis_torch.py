"""Softmax always runs over the last axis."""
# causes: axis_ignored

import torch


def softmax(x: torch.Tensor, axis: int = -1):
    m = x.amax(dim=-1, keepdim=True)
    m = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    e = torch.exp(x - m)
    s = e.sum(dim=-1, keepdim=True)
    return e / torch.where(s == 0, torch.ones_like(s), s)
