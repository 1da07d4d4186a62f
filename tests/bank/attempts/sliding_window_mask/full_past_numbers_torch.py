"""Causal means the lower triangle, else a band."""
# causes: window_lost_when_causal, integers

import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    ones = torch.ones(n, n)
    if causal:
        return torch.tril(ones)
    return torch.tril(ones, window) * torch.triu(ones, -window)
