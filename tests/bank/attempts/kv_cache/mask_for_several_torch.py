"""A mask where there are several tokens, made for these tokens only."""
# causes: several_aligned_to_the_start

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

    def forward(self, x, cache=None):
        B, n, E = x.shape
        q = self.W_q(x).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if n > 1:
            mask = torch.tril(torch.ones(n, k.size(2), dtype=torch.bool))
            scores = scores.masked_fill(~mask, -1e9)
        out = torch.softmax(scores, dim=-1) @ v
        out = out.transpose(1, 2).reshape(B, n, E)
        return self.W_o(out), (k, v)
