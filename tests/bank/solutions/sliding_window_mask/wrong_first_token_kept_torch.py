"""Wrong: keeps position 0 visible to everyone, as an attention sink."""
import torch


def sliding_window_mask(n, window, causal=False):
    at = torch.arange(n)
    mask = (at[:, None] - at).abs() <= window
    mask[:, 0] = True
    return mask.tril() if causal else mask
