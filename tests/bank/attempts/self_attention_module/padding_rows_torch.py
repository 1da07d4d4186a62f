"""A padded token neither asks nor answers."""
# causes: padding_hides_queries_too, blind_row_uniform

import math

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
            w(x).view(B, n, self.n_heads, self.d_head).transpose(1, 2)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            if mask.shape[2] == 1:
                mask = mask & mask.transpose(2, 3)
            scores = scores.masked_fill(~mask, -1e9)
        weights = F.softmax(scores, dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, n, E))
