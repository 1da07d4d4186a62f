"""Scores are cut by tril and zeros are then hidden, visible ones too."""

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
        s = torch.tril(q @ k.transpose(-1, -2) / math.sqrt(D))
        a = torch.softmax(s.masked_fill(s == 0, float("-inf")), dim=-1)
        return self.W_o((a @ v).transpose(1, 2).reshape(B, n, E))

    def ffn(self, x):
        return self.W_out(F.gelu(self.W_in(x)))

    def forward(self, x):
        if self.norm == "pre":
            a = x + self.attention(self.norm_1(x))
            return a + self.ffn(self.norm_2(a))
        a = self.norm_1(x + self.attention(x))
        return self.norm_2(a + self.ffn(a))
