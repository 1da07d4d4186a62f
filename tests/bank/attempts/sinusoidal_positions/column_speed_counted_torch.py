"""i / E with i the column; positions from 0."""
# causes: speed_for_each_column, start_ignored

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    angle = torch.arange(n)[:, None] / base ** (torch.arange(E) / E)
    pe = torch.empty(n, E)
    pe[:, 0::2] = torch.sin(angle[:, 0::2])
    pe[:, 1::2] = torch.cos(angle[:, 1::2])
    return pe
