"""Landmark pairs and the band."""
# causes: landmarks_see_each_other_only

import torch


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    pos = torch.arange(n)
    g = pos % stride == 0
    return ((pos[:, None] - pos).abs() <= stride) | (g[:, None] & g)
