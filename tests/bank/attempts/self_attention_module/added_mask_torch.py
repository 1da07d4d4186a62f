"""The mask is added to the scores."""
# causes: other: a boolean mask is added

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
            scores = scores + mask
        weights = F.softmax(scores, dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, n, E))
