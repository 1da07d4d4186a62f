import torch
from torch import nn


class FeedForward(nn.Module):
    """Two layers with an activation between them; W_in and W_out, and W_gate for swiglu."""

    def __init__(self, d_model: int, hidden: int, kind: str = "gelu"):
        """`kind` is "gelu", "gelu_tanh" or "swiglu"."""
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x (..., E) -> (..., E)."""
        raise NotImplementedError
