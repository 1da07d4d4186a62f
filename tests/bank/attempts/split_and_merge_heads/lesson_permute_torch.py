"""contiguous, view, permute, flatten."""
# causes: none

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    batch, length, width = x.size()
    if width % num_heads:
        raise ValueError("width is not a multiple of num_heads")
    return x.contiguous().view(batch, length, num_heads, -1).permute(0, 2, 1, 3)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    return x.permute(0, 2, 1, 3).flatten(2)
