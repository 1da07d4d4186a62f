"""True where it is too far."""
# causes: polarity_inverted

import torch


def sliding_window_mask(n: int, window: int, causal: bool = False) -> torch.Tensor:
    i = torch.arange(n)[:, None]
    j = torch.arange(n)
    far = (i - j).abs() > window
    return far | (j > i) if causal else far
