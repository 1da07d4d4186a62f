"""cos before sin."""
# causes: cosine_first

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    a = torch.arange(start, start + n)[:, None] * base ** (-torch.arange(0, E, 2) / E)
    return torch.stack([a.cos(), a.sin()], dim=-1).flatten(1)[:, :E]
