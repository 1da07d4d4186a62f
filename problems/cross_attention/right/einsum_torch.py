# einsum names the axes, so heads are never moved: b, h, l decoder and s encoder tokens, d.
import math

import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        heads = (self.num_heads, -1)
        q = self.W_q(decoder_hidden).unflatten(-1, heads)  # (B, L, H, D)
        k = self.W_k(encoder_output).unflatten(-1, heads)  # (B, S, H, D)
        v = self.W_v(encoder_output).unflatten(-1, heads)
        scores = torch.einsum("blhd,bshd->bhls", q, k) / math.sqrt(q.shape[-1])
        weights = self.weights_of(scores, mask)
        output = torch.einsum("bhls,bshd->blhd", self.dropout(weights), v)
        return self.W_o(output.flatten(-2)), weights

    def weights_of(self, scores, mask):
        if mask is None:
            return torch.softmax(scores, dim=-1)
        hidden = ~mask[:, None]  # (B, 1, 1, S)
        return torch.softmax(scores.masked_fill(hidden, -math.inf), -1).masked_fill(hidden, 0)
