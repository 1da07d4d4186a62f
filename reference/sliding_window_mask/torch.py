"""Which keys lie within a window around each query (Beltagy et al. 2020, section 3.1)."""

import torch


def sliding_window_mask(n, window, causal=False):
    i = torch.arange(n)[:, None]  # (n, 1) queries
    j = torch.arange(n)[None, :]  # (1, n) keys
    mask = torch.abs(i - j) <= window  # (n, n), True = may attend
    if causal:
        mask = mask & (j <= i)
    return mask
