"""Zeros outside the graph are returned where no example has a visible key."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.dropout = dropout
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def _split(self, x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)

    def forward(
        self,
        decoder_hidden: torch.Tensor,
        encoder_output: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        batch, length, _ = decoder_hidden.shape
        source = encoder_output.shape[1]
        if mask is not None and not mask.any():
            nothing = decoder_hidden.new_zeros(batch, self.num_heads, length, source)
            return torch.zeros_like(decoder_hidden), nothing

        q = self._split(self.W_q(decoder_hidden))
        k = self._split(self.W_k(encoder_output))
        v = self._split(self.W_v(encoder_output))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], -math.inf)
        top = scores.detach().amax(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).min)
        weights = (scores - top).exp()
        total = weights.sum(dim=-1, keepdim=True)
        weights = weights / total.masked_fill(total == 0, 1.0)

        found = F.dropout(weights, self.dropout, self.training) @ v
        return self.W_o(found.transpose(1, 2).flatten(2)), weights
