"""Right: a matrix of distances, and the future hidden with masked_fill."""
import torch


def sliding_window_mask(n, window, causal=False):
    at = torch.arange(n)
    mask = (at.view(-1, 1) - at.view(1, -1)).pow(2).le(window**2)
    if causal:
        mask = mask.masked_fill(torch.ones(n, n).triu(1).bool(), False)
    return mask
