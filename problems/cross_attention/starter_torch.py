import torch
from torch import nn


class CrossAttention(nn.Module):
    """Multi-head attention from a decoder to an encoder, with the parameters W_q, W_k, W_v and W_o."""

    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        raise NotImplementedError

    def forward(
        self,
        decoder_hidden: torch.Tensor,
        encoder_output: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Let every decoder token look at the encoder's tokens.

        decoder_hidden (B, L, E)
        encoder_output (B, S, E)
        mask           None or boolean (B, 1, S), True = may attend
        returns        output (B, L, E), weights (B, H, L, S)
        """
        raise NotImplementedError
