"""assert that it divides, then one reshape."""
# causes: assertion_for_an_error, split_without_transpose

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    B, L, E = x.shape
    assert E % num_heads == 0, "not divisible"
    return x.reshape(B, num_heads, L, E // num_heads)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    B, H, L, D = x.shape
    return x.transpose(1, 2).contiguous().view(B, L, H * D)
