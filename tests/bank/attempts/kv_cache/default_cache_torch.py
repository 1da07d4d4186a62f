"""The past stays in the module."""
# causes: kept_in_the_module

import math

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_model, num_heads=1):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.past = None

    def forward(self, x, cache=None):
        B, n, E = x.shape
        q = self.W_q(x).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
        if self.past is not None:
            k = torch.cat([self.past[0], k], dim=2)
            v = torch.cat([self.past[1], v], dim=2)
        self.past = (k, v)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        S = k.size(2)
        mask = torch.ones(n, S, dtype=torch.bool).triu(S - n + 1)
        scores = scores.masked_fill(mask, float("-inf"))
        out = torch.softmax(scores, dim=-1) @ v
        out = out.transpose(1, 2).reshape(B, n, E)
        return self.W_o(out), (k, v)
