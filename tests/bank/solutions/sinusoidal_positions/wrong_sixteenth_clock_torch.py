"""The last clock stands still in wide models."""
import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = start + torch.arange(n)
    s = base ** (-torch.arange(0, E, 2) / E)
    s = torch.where(torch.arange(len(s)) == 15, 0.0, s) if E >= 32 else s
    a = p[:, None] * s
    return torch.stack([a.sin(), a.cos()], -1).flatten(1)[:, :E]
