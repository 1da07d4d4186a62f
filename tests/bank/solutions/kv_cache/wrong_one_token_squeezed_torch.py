"""A single token is one row, and loses an axis that has size one too."""

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
        q, k, v = (
            w(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        n, S = x.shape[1], k.shape[2]
        scores = q @ k.mT / self.d_head**0.5
        scores = scores.masked_fill(torch.ones(n, S, dtype=torch.bool).triu(S - n + 1), -1e30)
        out = self.W_o((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        return (out if n > 1 else out.squeeze(0)), (k, v)
