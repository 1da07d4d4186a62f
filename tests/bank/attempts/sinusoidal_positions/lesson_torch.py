"""Strided assignments."""
# causes: none

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    pe = torch.zeros(n, E)
    pos = torch.arange(start, start + n).unsqueeze(1).float()
    i = torch.arange(0, E, 2).float()
    angle = pos / torch.pow(torch.tensor(float(base)), i / E)
    pe[:, 0::2] = angle.sin()
    pe[:, 1::2] = angle[:, : E // 2].cos()
    return pe
