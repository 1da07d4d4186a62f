"""In another style: triu tril."""

import torch


def sliding_window_mask(n, window, causal=False):
    return torch.ones(n, n, dtype=torch.bool).triu(-window).tril(0 if causal else window)
