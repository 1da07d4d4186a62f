"""-1e9 for hidden keys."""
# causes: blind_row_uniform

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        B, n, E = x.shape
        q = self.W_q(x).view(B, n, self.n_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(B, n, self.n_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(B, n, self.n_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        out = scores.softmax(dim=-1) @ v
        return self.W_o(out.transpose(1, 2).contiguous().view(B, n, E))
