"""Tokens, then heads."""
# causes: split_heads_last

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    return x.reshape(B, L, num_heads, E // num_heads)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    B, H, L, D = x.shape
    return x.permute(0, 2, 1, 3).reshape(B, L, H * D)
