import torch
from torch import nn


class CLASS(nn.Module):
    """Has the parameter W.weight (E, E), of a linear layer without a bias."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x (B, n, E) -> output (B, n, E)."""
        raise NotImplementedError
