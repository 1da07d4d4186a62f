"""Queries go in stripes of 64, and the keys and values of earlier stripes are detached."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, d_model: int, num_heads: int, hidden: int, norm: str = "pre"):
        super().__init__()
        self.num_heads = num_heads
        self.norm = norm
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)

    def attention(self, x):
        B, n, E = x.shape
        H = self.num_heads
        D = E // H
        q, k, v = (w(x).reshape(B, n, H, D).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        parts = []
        for i in range(0, n, 64):
            m = min(64, n - i)
            keys = torch.cat([k[:, :, :i].detach(), k[:, :, i:i + m]], dim=2)
            values = torch.cat([v[:, :, :i].detach(), v[:, :, i:i + m]], dim=2)
            later = torch.ones(m, i + m, dtype=torch.bool).triu(i + 1)
            s = q[:, :, i:i + m] @ keys.transpose(-1, -2) / math.sqrt(D)
            parts.append(torch.softmax(s.masked_fill(later, float("-inf")), dim=-1) @ values)
        return self.W_o(torch.cat(parts, dim=2).transpose(1, 2).reshape(B, n, E))

    def ffn(self, x):
        return self.W_out(F.gelu(self.W_in(x)))

    def forward(self, x):
        if self.norm == "pre":
            a = x + self.attention(self.norm_1(x))
            return a + self.ffn(self.norm_2(a))
        a = self.norm_1(x + self.attention(x))
        return self.norm_2(a + self.ffn(a))
