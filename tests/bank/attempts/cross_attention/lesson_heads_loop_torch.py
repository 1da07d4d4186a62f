"""One head after the other."""
# causes: none

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
        q, k, v = self.W_q(decoder_hidden), self.W_k(encoder_output), self.W_v(encoder_output)
        outputs, maps = [], []
        for h in range(self.num_heads):
            cols = slice(h * self.d_head, (h + 1) * self.d_head)
            scores = q[..., cols] @ k[..., cols].transpose(1, 2) / math.sqrt(self.d_head)
            if mask is not None:
                scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
            w = torch.softmax(scores, dim=-1)
            if mask is not None:
                w = w.masked_fill(~mask, 0.0)
            maps.append(w)
            outputs.append(self.dropout(w) @ v[..., cols])
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(maps, dim=1)
