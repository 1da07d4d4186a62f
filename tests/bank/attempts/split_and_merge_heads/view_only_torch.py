"""view on whatever comes in."""
# causes: merge_by_view

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    return x.view(B, L, num_heads, E // num_heads).transpose(1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    B, H, L, D = x.shape
    return x.transpose(1, 2).view(B, L, H * D)
