"""Tokens, then heads; merging joins the last two sizes."""
# causes: split_heads_last, other: merging joins the last two axes

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    return x.reshape(B, L, num_heads, E // num_heads)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    return x.flatten(2)
