import torch
from torch import nn


class Block(nn.Module):
    """One block of a decoder: causal self-attention and a feed-forward layer."""

    def __init__(self, d_model: int, num_heads: int, hidden: int, norm: str = "pre"):
        """`norm` is "pre" or "post"."""
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x (B, n, E) -> (B, n, E)."""
        raise NotImplementedError
