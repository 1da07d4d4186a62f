"""The window is the whole width, half on each side."""
# causes: window_halved

import torch


def sliding_window_mask(n, window, causal=False):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    mask = (i - j).abs() <= window // 2
    if causal:
        mask = mask & (j <= i)
    return mask
