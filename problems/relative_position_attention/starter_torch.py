import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    """Multi-head attention whose scores know how far apart two tokens are; its one parameter is
    rel_pos_bias.
    """

    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        raise NotImplementedError

    def forward(
        self,
        q: torch.Tensor,
        k: torch.Tensor,
        v: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Attend with a bias for each distance and head.

        q, k, v (B, H, n, D), already split into heads
        mask    None or boolean, broadcastable to (B, H, n, n), True = may attend
        returns output (B, H, n, D), weights (B, H, n, n)
        """
        raise NotImplementedError
