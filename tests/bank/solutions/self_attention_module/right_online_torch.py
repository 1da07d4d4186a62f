"""Keys one after another with a running maximum and sum, heads kept as the last axis but one."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, mask=None):
        B, n, E = x.shape
        H = self.n_heads
        D = E // H
        q, k, v = (w(x).view(B, n, H, D) for w in (self.W_q, self.W_k, self.W_v))
        see = x.new_ones(B, 1, n, n, dtype=torch.bool) if mask is None else mask.expand(B, 1, n, n)
        top = x.new_full((B, n, H, 1), -1e30)
        total = torch.zeros_like(top)
        acc = torch.zeros_like(q)
        for j in range(n):
            m = see[:, 0, :, j, None, None]
            s = (q * k[:, j : j + 1]).sum(-1, keepdim=True) / math.sqrt(D)
            s = torch.where(m, s, -1e30)
            new = torch.maximum(top, s).detach()
            p = torch.exp(s - new) * m
            fade = torch.exp(top - new)
            total, acc, top = total * fade + p, acc * fade + p * v[:, j : j + 1], new
        return self.W_o((acc / torch.where(total > 0, total, 1.0)).reshape(B, n, E))
