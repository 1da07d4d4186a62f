"""Minus infinity, except in rows where nothing is seen."""
# causes: none

import torch
import torch.nn.functional as F
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
        q, k, v = (
            w(x).reshape(B, n, self.n_heads, self.d_head).permute(0, 2, 1, 3)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        scores = q @ k.transpose(-1, -2) / self.d_head**0.5
        if mask is None:
            weights = F.softmax(scores, dim=-1)
        else:
            empty = ~mask.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~mask & ~empty, float("-inf"))
            weights = F.softmax(scores, dim=-1).masked_fill(empty, 0.0)
        return self.W_o((weights @ v).permute(0, 2, 1, 3).reshape(B, n, E))
