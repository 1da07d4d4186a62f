"""Breaks the tolerance far out: angles are brought into one turn with pi = 3.1416, so position 2500 (398 turns) is off by
0.006; the first 400 positions are within 0.001."""
import torch

PI = 3.1416


def sinusoidal_positions(n, E, base=10000.0, start=0):
    p = torch.arange(start, start + n, dtype=torch.float64).unsqueeze(-1)
    angles = p * float(base) ** (-torch.arange(0, E, 2, dtype=torch.float64) / E)
    angles = (angles % (2 * PI)).float()
    encoding = torch.empty(n, E)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()[:, : E // 2]
    return encoding
