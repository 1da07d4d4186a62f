"""Wrong: caps the window at n - 2, so the two farthest positions never meet."""
import torch


def sliding_window_mask(n, window, causal=False):
    window = min(window, max(n - 2, 0))
    at = torch.arange(n)
    mask = (at[:, None] - at).abs() <= window
    return mask.tril() if causal else mask
