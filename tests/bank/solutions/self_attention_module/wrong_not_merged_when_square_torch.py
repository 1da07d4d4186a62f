"""Swaps heads and tokens back only where their numbers differ."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
            weights = torch.softmax(scores, dim=-1) * mask
        heads = weights @ v
        if heads.shape[1] != x.shape[1]:
            heads = heads.transpose(1, 2)
        return self.W_o(heads.reshape(x.shape))
