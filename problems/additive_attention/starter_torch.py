import torch
from torch import nn


class AdditiveAttention(nn.Module):
    """Attention whose scores come from a small network; its layers are W_q, W_k and v."""

    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        raise NotImplementedError

    def forward(
        self,
        queries: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        lengths: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Score each pair of a query and a key, and average the values.

        queries (B, L, Dq), keys (B, S, Dk), values (B, S, Dv)
        lengths None or integers (B,): how many keys of each example are real
        returns output (B, L, Dv), weights (B, L, S)
        """
        raise NotImplementedError
