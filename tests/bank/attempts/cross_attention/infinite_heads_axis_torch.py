"""masked_fill with minus infinity, mask as it is."""
# causes: empty_source_nan, mask_of_examples_on_heads

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
        S = encoder_output.size(1)
        q = self.W_q(decoder_hidden).view(B, L, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(encoder_output).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(encoder_output).view(B, S, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        out = self.dropout(weights) @ v
        return self.W_o(out.transpose(1, 2).contiguous().view(B, L, E)), weights
