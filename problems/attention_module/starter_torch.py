import torch
from torch import nn


class Attention(nn.Module):
    """Self-attention with one head and the parameters W_q, W_k and W_v."""

    def __init__(self, d_model: int):
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Let every token attend to every token of its example.

        x       (B, n, E)
        returns output (B, n, E), weights (B, n, n)
        """
        raise NotImplementedError
