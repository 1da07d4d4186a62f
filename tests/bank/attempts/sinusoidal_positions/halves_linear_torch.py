"""Halves, with exponents from 0 to 1."""
# causes: halves, exponents_reach_one

import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    half = (E + 1) // 2
    freqs = base ** (-torch.arange(half) / max(half - 1, 1))
    angle = (torch.arange(n) + start)[:, None] * freqs
    return torch.cat([angle.sin(), angle.cos()[:, : E // 2]], dim=1)
