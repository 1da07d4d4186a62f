"""x = norm(x) first, and ReLU."""
# causes: normalised_residuals, relu

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
        q, k, v = (f(x).view(B, n, self.H, D).transpose(1, 2) for f in (self.W_q, self.W_k, self.W_v))
        s = q @ k.transpose(-2, -1) / math.sqrt(D)
        mask = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
        w = F.softmax(s.masked_fill(mask, float("-inf")), dim=-1)
        return self.W_o((w @ v).transpose(1, 2).reshape(B, n, E))

    def ffn(self, x):
        return self.W_out(F.relu(self.W_in(x)))

    def forward(self, x):
        if self.norm == "pre":
            x = self.norm_1(x)
            x = x + self.attn(x)
            x = self.norm_2(x)
            return x + self.ffn(x)
        x = self.norm_1(x + self.attn(x))
        return self.norm_2(x + self.ffn(x))
