"""Shift the diagonal and add it up."""
# causes: wraps_around

import torch


def sliding_window_mask(n, window, causal=False):
    m = torch.zeros(n, n, dtype=torch.bool)
    for s in range(-window, 1 if causal else window + 1):
        m |= torch.roll(torch.eye(n, dtype=torch.bool), s, dims=1)
    return m
