"""One head at a time."""
# causes: none

import math

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, d_model, num_heads, hidden, norm="pre"):
        super().__init__()
        self.H, self.norm = num_heads, norm
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)

    def attn(self, x):
        n, D = x.size(1), x.size(2) // self.H
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        outs = []
        for h in range(self.H):
            cols = slice(h * D, (h + 1) * D)
            s = q[..., cols] @ k[..., cols].mT / D**0.5
            s = s + torch.full((n, n), -torch.inf, dtype=s.dtype).triu(1)
            outs.append(s.softmax(-1) @ v[..., cols])
        return self.W_o(torch.cat(outs, -1))

    def ffn(self, x):
        return self.W_out(F.gelu(self.W_in(x)))

    def forward(self, x):
        if self.norm == "pre":
            x = x + self.attn(self.norm_1(x))
            return x + self.ffn(self.norm_2(x))
        x = self.norm_1(x + self.attn(x))
        return self.norm_2(x + self.ffn(x))
