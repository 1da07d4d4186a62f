import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Cut each token into one slice for each head.

    x       (B, L, E)
    returns (B, H, L, D) with D = E / H; raises ValueError when that is no whole number
    """
    raise NotImplementedError


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Put the slices of each token side by side again.

    x       (B, H, L, D)
    returns (B, L, E) with E = H D
    """
    raise NotImplementedError
