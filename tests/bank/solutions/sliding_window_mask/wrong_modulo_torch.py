"""Distances are measured round a circle."""
import torch


def sliding_window_mask(n, window, causal=False):
    i = torch.arange(n)
    d = (i[:, None] - i).abs()
    m = torch.minimum(d, n - d) <= window
    return m & (i <= i[:, None]) if causal else m
