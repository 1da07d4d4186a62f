"""Dropout before the softmax."""
# causes: dropout_on_scores

import math

import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        heads = (self.num_heads, self.d_head)
        q = self.W_q(decoder_hidden).unflatten(-1, heads)
        k = self.W_k(encoder_output).unflatten(-1, heads)
        v = self.W_v(encoder_output).unflatten(-1, heads)
        scores = self.dropout(torch.einsum("blhd,bshd->bhls", q, k) / math.sqrt(self.d_head))
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask[:, None], 0)
        return self.W_o(torch.einsum("bhls,bshd->blhd", weights, v).flatten(2)), weights
