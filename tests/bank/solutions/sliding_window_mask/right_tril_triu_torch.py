"""Right: triu and tril of a boolean matrix of ones."""
import torch


def sliding_window_mask(n, window, causal=False):
    ones = torch.ones(n, n, dtype=torch.bool)
    return ones.triu(-window).tril(0 if causal else window)
