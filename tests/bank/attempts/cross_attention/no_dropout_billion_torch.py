"""Dropout is for later; -1e9 hides the padding."""
# causes: no_dropout, empty_source_uniform

import math

import torch
import torch.nn.functional as F
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
        B, L, E = decoder_hidden.shape
        q, k, v = (
            t.view(B, -1, self.num_heads, self.d_head).transpose(1, 2)
            for t in (self.W_q(decoder_hidden), self.W_k(encoder_output), self.W_v(encoder_output))
        )
        scores = q @ k.mT / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], -1e9)
        weights = F.softmax(scores, dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, L, E)), weights
