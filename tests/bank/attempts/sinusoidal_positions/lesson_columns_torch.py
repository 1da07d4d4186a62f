"""One column after the other."""
# causes: none

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = torch.arange(n) + start
    columns = []
    for c in range(E):
        angle = p / base ** (2 * (c // 2) / E)
        columns.append(torch.sin(angle) if c % 2 == 0 else torch.cos(angle))
    return torch.stack(columns, dim=1)
