"""Landmarks see everyone."""
# causes: landmarks_only_see

import torch


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    pos = torch.arange(n)
    mask = (pos[:, None] - pos).abs() <= stride
    mask[::stride] = True
    return mask
