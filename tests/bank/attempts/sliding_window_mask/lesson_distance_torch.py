"""The distance as a tensor."""
# causes: none

import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    pos = torch.arange(n)
    dist = pos.unsqueeze(1) - pos.unsqueeze(0)
    if causal:
        return (dist >= 0) & (dist <= window)
    return dist.abs() <= window
