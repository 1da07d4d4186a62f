"""Wrong: bounds the past but not the future when it is not causal."""
import torch


def sliding_window_mask(n, window, causal=False):
    mask = torch.ones(n, n, dtype=torch.bool).triu(-window)
    return mask.tril() if causal else mask
