"""Positions from 1, exponents twice as large."""
# causes: positions_from_one, exponent_doubled

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    position = torch.arange(start + 1, start + n + 1, dtype=torch.float32)
    w = torch.tensor([base ** (-2 * i / E) for i in range(0, E, 2)])
    a = torch.outer(position, w)
    out = torch.zeros(n, E)
    out[:, ::2], out[:, 1::2] = a.sin(), a.cos()[:, : E // 2]
    return out
