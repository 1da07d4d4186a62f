"""I put the heads last, and merge in the same order."""
# causes: interleaved_heads

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.d_k = d_model // n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None):
        B, n, E = x.shape
        Q = self.W_q(x).view(B, n, self.d_k, self.n_heads).permute(0, 3, 1, 2)
        K = self.W_k(x).view(B, n, self.d_k, self.n_heads).permute(0, 3, 1, 2)
        V = self.W_v(x).view(B, n, self.d_k, self.n_heads).permute(0, 3, 1, 2)
        s = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            s = s.masked_fill(mask == 0, -1e9)
        w = torch.softmax(s, -1)
        if mask is not None:
            w = w.masked_fill(mask == 0, 0)
        return self.W_o((w @ V).permute(0, 2, 3, 1).reshape(B, n, E))
