"""The mask of a single token is skipped, so that a token of padding sees itself."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    """Multi-head self-attention with the parameters W_q, W_k, W_v and W_o."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def _weights(self, scores: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        if mask is None or mask.size(-1) == 1:
            return scores.softmax(dim=-1)
        hidden = mask.logical_not()
        blind = hidden.all(dim=-1, keepdim=True)
        scores = scores.masked_fill(hidden, float("-inf")).masked_fill(blind, 0.0)
        return scores.softmax(dim=-1).masked_fill(hidden, 0.0)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        split = (self.n_heads, self.d_head)
        q = self.W_q(x).unflatten(-1, split).permute(0, 2, 1, 3)
        k = self.W_k(x).unflatten(-1, split).permute(0, 2, 3, 1)
        v = self.W_v(x).unflatten(-1, split).permute(0, 2, 1, 3)
        p = self._weights(torch.matmul(q, k) / self.d_head**0.5, mask)
        return self.W_o(torch.matmul(p, v).permute(0, 2, 1, 3).flatten(2))
