import torch
from torch import nn


class SelfAttention(nn.Module):
    """Multi-head self-attention with the parameters W_q, W_k, W_v and W_o."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Let every token attend to the others.

        x       (B, n, E)
        mask    None or boolean, True = may attend: (B, 1, 1, n) or (B, 1, n, n)
        returns (B, n, E)
        """
        raise NotImplementedError
