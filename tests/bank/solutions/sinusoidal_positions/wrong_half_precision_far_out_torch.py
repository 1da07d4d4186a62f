"""Angles in half precision for positions beyond a thousand."""
import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = start + torch.arange(n)
    s = base ** (-torch.arange(0, E, 2) / E)
    s = s.half().float() if start > 1000 else s
    a = p[:, None] * s
    return torch.stack([a.sin(), a.cos()], -1).flatten(1)[:, :E]
