"""The annotated transformer's exponential, cut for odd widths."""
import math

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = torch.zeros(n, E)
    position = torch.arange(start, start + n, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, E, 2).float() * -(math.log(base) / E))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: E // 2])
    return pe
