"""Causal means the lower triangle."""
# causes: window_lost_when_causal

import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    if causal:
        return torch.tril(torch.ones(n, n)).bool()
    ones = torch.ones(n, n)
    return (torch.tril(ones, window) * torch.triu(ones, -window)).bool()
