"""The annotated transformer: 10000 written out, even widths only."""
# causes: odd_width_not_cut, base_ignored

import math

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = torch.zeros(n, E)
    position = torch.arange(start, start + n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, E, 2) * -(math.log(10000.0) / E))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
