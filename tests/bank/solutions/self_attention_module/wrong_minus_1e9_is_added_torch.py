"""-1e9 is added to hidden scores."""

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        B, n, E = x.shape
        H = self.n_heads
        D = E // H
        q, k, v = (w(x).reshape(B, n, H, D).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(-1, -2) / math.sqrt(D)
        if mask is None:
            a = torch.softmax(scores, dim=-1)
        else:
            scores = scores + (~mask).to(scores.dtype) * -1e9
            a = torch.softmax(scores, dim=-1) * mask
        y = a @ v
        return self.W_o(y.transpose(1, 2).reshape(B, n, E))
