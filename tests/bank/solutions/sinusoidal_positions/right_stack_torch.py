"""stack, flatten, and cut to the width; in double precision."""
import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    i = torch.arange((E + 1) // 2, dtype=torch.float64)
    a = torch.outer(torch.arange(start, start + n).double(), base ** (-2 * i / E))
    return torch.stack([a.sin(), a.cos()], dim=-1).flatten(1)[:, :E].float()
