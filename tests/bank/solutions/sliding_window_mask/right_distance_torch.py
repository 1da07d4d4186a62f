"""Right: signed distances between float positions."""
import torch


def sliding_window_mask(n, window, causal=False):
    at = torch.arange(n, dtype=torch.float32)
    back = at.unsqueeze(1) - at
    ahead = 0 if causal else -window
    return torch.logical_and(back <= window, back >= ahead)
