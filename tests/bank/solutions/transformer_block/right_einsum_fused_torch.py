"""One product for queries, keys and values."""
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
        w = torch.stack([f.weight for f in (self.W_q, self.W_k, self.W_v)])
        w = w.unflatten(1, (self.H, -1))
        q, k, v = torch.einsum("bne,chde->cbhnd", x, w)
        s = torch.einsum("bhid,bhjd->bhij", q * q.shape[-1] ** -0.25, k * k.shape[-1] ** -0.25)
        s = s.masked_fill(torch.ones_like(s[0, 0]).triu(1).bool(), torch.finfo(s.dtype).min)
        return torch.einsum("bhij,bhjd->bihd", s.softmax(-1), v).flatten(2) @ self.W_o.weight.T

    def ffn(self, x):
        return self.W_out(F.gelu(self.W_in(x)))

    def forward(self, x):
        if self.norm == "pre":
            x = x + self.attn(self.norm_1(x))
            return x + self.ffn(self.norm_2(x))
        x = self.norm_1(x + self.attn(x))
        return self.norm_2(x + self.ffn(x))
