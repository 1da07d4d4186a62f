"""Causal is the whole past, whatever the window."""
# causes: window_lost_when_causal

import torch


def sliding_window_mask(n, window, causal=False):
    if causal:
        return torch.tril(torch.ones(n, n)).bool()
    return torch.ones(n, n).tril(window).triu(-window).bool()
