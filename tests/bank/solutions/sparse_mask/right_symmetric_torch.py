"""Right: one half of the pattern joined with its transpose."""
import torch


def sparse_mask(n, stride):
    i, j = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="ij")
    half = (j % stride == 0) | ((j <= i) & (i - j <= stride))
    return half | half.mT
