"""Angles for every column; where chooses sine or cosine."""
import torch


def sinusoidal_positions(n, E, base=10000.0, start=0):
    column = torch.arange(E)
    angles = torch.arange(start, start + n)[:, None] / base ** (2 * (column // 2) / E)
    return torch.where(column % 2 == 0, torch.sin(angles), torch.cos(angles))
