"""Checks only how many chunks there are: uneven ones raise a RuntimeError."""
import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Cut each token into one slice for each head.

    x       (B, L, E)
    returns (B, H, L, D) with D = E / H; raises ValueError when that is no whole number
    """
    if num_heads < 1:
        raise ValueError("at least one head")
    slices = x.chunk(num_heads, dim=-1)
    if len(slices) != num_heads:
        raise ValueError(f"cannot cut {x.shape[-1]} columns into {num_heads} slices")
    return torch.stack(slices, dim=1)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Put the slices of each token side by side again.

    x       (B, H, L, D)
    returns (B, L, E) with E = H D
    """
    return x.movedim(1, 2).flatten(2)
