"""Positions from 1."""
# causes: positions_from_one

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = torch.zeros(n, E)
    position = torch.arange(1, n + 1).unsqueeze(1) + start
    w = 1 / base ** (torch.arange(0, E, 2) / E)
    pe[:, ::2] = torch.sin(position * w)
    pe[:, 1::2] = torch.cos(position * w[: E // 2])
    return pe
