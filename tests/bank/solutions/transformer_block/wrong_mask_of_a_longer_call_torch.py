"""Wrong: the mask of a longer call is kept, and cut from its lower left corner."""

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, d_model, num_heads, hidden, norm="pre"):
        super().__init__()
        self.h, self.norm = num_heads, norm
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = [nn.Linear(d_model, d_model, bias=False) for _ in range(4)]
        self.W_in, self.W_out = nn.Linear(d_model, hidden, bias=False), nn.Linear(hidden, d_model, bias=False)
        self.mask = None

    def attn(self, x):
        B, n, E = x.shape
        q, k, v = (f(x).reshape(B, n, self.h, -1).transpose(1, 2) for f in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / (E // self.h) ** 0.5
        if self.mask is None or len(self.mask) < n:
            self.mask = torch.ones(n, n, dtype=torch.bool).triu(1)
        s = s.masked_fill(self.mask[-n:, :n], float('-inf'))
        return self.W_o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, n, E))

    def ff(self, x):
        return self.W_out(F.gelu(self.W_in(x)))

    def forward(self, x):
        if self.norm == "pre":
            a = x + self.attn(self.norm_1(x))
            return a + self.ff(self.norm_2(a))
        a = self.norm_1(x + self.attn(x))
        return self.norm_2(a + self.ff(a))
