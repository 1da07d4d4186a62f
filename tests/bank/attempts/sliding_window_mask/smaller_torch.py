"""Closer than the window."""
# causes: window_one_short

import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    i = torch.arange(n)[:, None]
    j = torch.arange(n)[None, :]
    mask = (i - j).abs() < window
    return mask & (j <= i) if causal else mask
