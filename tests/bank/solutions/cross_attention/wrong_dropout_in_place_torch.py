"""Dropout writes into what the softmax needs on the way back."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.drop = nn.Dropout(dropout, inplace=True)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def _split(self, x):
        return x.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)

    def forward(
        self,
        decoder_hidden: torch.Tensor,
        encoder_output: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        q = self._split(self.W_q(decoder_hidden))
        k = self._split(self.W_k(encoder_output))
        v = self._split(self.W_v(encoder_output))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            shown = mask.unsqueeze(1)  # (B, 1, 1, S)
            scores = scores.masked_fill(~shown, -math.inf)
            # An extra slot takes the weight of rows that see nothing.
            blind = ~shown.any(dim=-1, keepdim=True)
            slot = torch.zeros_like(scores[..., :1]).masked_fill(~blind, -math.inf)
            weights = torch.softmax(torch.cat((scores, slot), dim=-1), dim=-1)[..., :-1]
        found = self.drop(weights) @ v
        return self.W_o(found.transpose(1, 2).flatten(2)), weights
