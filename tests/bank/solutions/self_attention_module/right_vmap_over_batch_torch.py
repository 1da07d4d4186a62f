"""In another style: vmap over batch."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def head(self, q, k, v, m):
        s = (q @ k.T / q.shape[-1] ** 0.5).masked_fill(~m, -1e30)
        return (torch.softmax(s, -1) * m) @ v

    def forward(self, x, mask=None):
        B, n, E = x.shape
        m = (torch.ones(1, 1, 1, 1, dtype=torch.bool) if mask is None else mask).expand(B, self.h, n, n)
        parts = [t.view(B, n, self.h, E // self.h).transpose(1, 2) for t in (self.W_q(x), self.W_k(x), self.W_v(x))]
        o = torch.vmap(torch.vmap(self.head))(*parts, m)
        return self.W_o(o.transpose(1, 2).reshape(B, n, E))
