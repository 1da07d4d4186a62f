"""Keeps the weights of the last call for plotting, as many a tutorial does, and never reads them."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        for p in self.parameters():
            nn.init.zeros_(p)

    def forward(self, x, mask=None):
        B, n, E = x.size()
        D = E // self.n_heads

        def fold(t):
            return t.view(B, n, self.n_heads, D).permute(0, 2, 1, 3).reshape(B * self.n_heads, n, D)

        q, k, v = fold(self.W_q(x)), fold(self.W_k(x)), fold(self.W_v(x))
        s = torch.bmm(q / D**0.25, (k / D**0.25).transpose(1, 2)).view(B, self.n_heads, n, n)
        if mask is not None:
            s = torch.where(mask, s, torch.finfo(s.dtype).min)
        w = F.softmax(s, dim=3)
        if mask is not None:
            w = w * mask.to(w.dtype)
        self.attention = w.detach()
        z = torch.bmm(w.view(-1, n, n), v).view(B, self.n_heads, n, D)
        return self.W_o(z.transpose(1, 2).contiguous().view(B, n, E))
