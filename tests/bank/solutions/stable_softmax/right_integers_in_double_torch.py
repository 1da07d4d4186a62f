"""Integers in an early branch of their own, where they become float64."""
import torch


def softmax(x, axis=-1):
    if not x.is_floating_point():
        x = x.double()
    m = x.amax(axis, keepdim=True)
    e = torch.exp(x - m.masked_fill(m == -torch.inf, 0.0))
    s = e.sum(axis, keepdim=True)
    return e / s.masked_fill(s == 0, 1.0)
