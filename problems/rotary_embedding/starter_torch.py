import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Turn each pair of neighbouring entries by an angle that grows with the position.

    x (B, H, n, D), positions (n,) integers -> (B, H, n, D)
    """
    raise NotImplementedError
