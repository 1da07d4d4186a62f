"""Sinusoidal positions: Vaswani et al. 2017, section 3.5."""

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    """Positions start, start + 1, … -> float32 (n, E): sine and cosine in turn."""
    positions = torch.arange(start, start + n)  # (n,)
    speed = base ** (-torch.arange(0, E, 2, dtype=torch.float64) / E)  # radians per position
    angles = positions[:, None] * speed  # (n, ceil(E / 2))
    encoding = torch.zeros(n, E)
    encoding[:, 0::2] = torch.sin(angles)
    encoding[:, 1::2] = torch.cos(angles)[:, : E // 2]  # an odd width ends with a sine
    return encoding
