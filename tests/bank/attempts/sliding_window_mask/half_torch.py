"""The window is as wide as window, half on each side."""
# causes: window_halved

import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    i = torch.arange(n)[:, None]
    j = torch.arange(n)
    mask = (i - j).abs() <= window // 2
    return mask & (j <= i) if causal else mask
