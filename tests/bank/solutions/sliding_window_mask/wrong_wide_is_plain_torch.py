"""Wrong: a window of n or more returns all True at once, before causal is looked at."""
import torch


def sliding_window_mask(n, window, causal=False):
    if window >= n:
        return torch.ones(n, n, dtype=torch.bool)
    at = torch.arange(n)
    mask = (at[:, None] - at).abs() <= window
    return mask.tril() if causal else mask
