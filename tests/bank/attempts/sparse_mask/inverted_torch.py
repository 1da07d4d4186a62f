"""True for pairs that are not connected."""
# causes: polarity_inverted

import torch


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    i = torch.arange(n)[:, None]
    j = torch.arange(n)
    return ~(((i - j).abs() <= stride) | (i % stride == 0) | (j % stride == 0))
