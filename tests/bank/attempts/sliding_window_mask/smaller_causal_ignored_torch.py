"""All positions closer than the window."""
# causes: window_one_short, causal_ignored

import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    pos = torch.arange(n)
    return torch.abs(pos[:, None] - pos) < window
