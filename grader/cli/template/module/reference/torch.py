import torch
from torch import nn


class CLASS(nn.Module):
    """Has the parameter W.weight (E, E), of a linear layer without a bias."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.W = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x (B, n, E) -> output (B, n, E)."""
        return x + self.W(x)  # (B, n, E)
