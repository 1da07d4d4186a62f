"""Right: two plain loops with math.sin and math.cos, a tensor at the end."""
import math

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    def entry(p, column):
        angle = p / base ** ((column - column % 2) / E)
        return math.cos(angle) if column % 2 else math.sin(angle)

    return torch.tensor([[entry(p, c) for c in range(E)] for p in range(start, start + n)], dtype=torch.float32)
