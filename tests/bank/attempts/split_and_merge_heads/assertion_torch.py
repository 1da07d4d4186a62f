"""assert that it divides."""
# causes: assertion_for_an_error

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    B, L, E = x.shape
    assert E % num_heads == 0
    return x.reshape(B, L, num_heads, E // num_heads).transpose(1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    B, H, L, D = x.shape
    return x.transpose(1, 2).reshape(B, L, H * D)
