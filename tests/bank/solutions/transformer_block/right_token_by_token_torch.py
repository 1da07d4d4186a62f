"""One token at a time: what it sees, and its own way through both parts."""
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
        B, n, E = x.shape
        D = E // self.H
        q, k, v = (f(x).unflatten(-1, (self.H, D)) for f in (self.W_q, self.W_k, self.W_v))
        rows = []
        for i in range(n):
            s = torch.einsum("bhd,bjhd->bhj", q[:, i], k[:, : i + 1]) / math.sqrt(D)
            rows.append(torch.einsum("bhj,bjhd->bhd", s.softmax(-1), v[:, : i + 1]).flatten(1))
        return self.W_o(torch.stack(rows, 1))

    def ffn(self, x):
        return self.W_out(F.gelu(self.W_in(x)))

    def forward(self, x):
        if self.norm == "pre":
            x = x + self.attn(self.norm_1(x))
            return x + self.ffn(self.norm_2(x))
        x = self.norm_1(x + self.attn(x))
        return self.norm_2(x + self.ffn(x))
