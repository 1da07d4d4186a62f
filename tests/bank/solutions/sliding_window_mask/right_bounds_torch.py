"""Clipped bounds for each row."""
import torch


def sliding_window_mask(n, window, causal=False):
    i = torch.arange(n)
    first = (i - window).clamp(min=0)
    last = i if causal else (i + window).clamp(max=n - 1)
    return (i >= first[:, None]) & (i <= last[:, None])
