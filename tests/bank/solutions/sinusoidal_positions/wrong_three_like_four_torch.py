"""A width of three is treated like four."""
import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = start + torch.arange(n)
    s = base ** (-torch.arange(0, E, 2) / E)
    s = base ** (-torch.arange(0, E, 2) / (4 if E == 3 else E))
    a = p[:, None] * s
    return torch.stack([a.sin(), a.cos()], -1).flatten(1)[:, :E]
