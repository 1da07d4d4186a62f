"""A band between two triangles."""
# causes: none

import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    ones = torch.ones(n, n, dtype=torch.bool)
    mask = torch.triu(ones, diagonal=-window)
    return torch.tril(mask, diagonal=0 if causal else window)
