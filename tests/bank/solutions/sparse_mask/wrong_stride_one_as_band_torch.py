"""Wrong: takes stride 1 for 'no landmarks'."""
import torch


def sparse_mask(n, stride):
    at = torch.arange(n)
    mask = (at[:, None] - at).abs() <= stride
    if stride > 1:
        mask[::stride] = True
        mask[:, ::stride] = True
    return mask
