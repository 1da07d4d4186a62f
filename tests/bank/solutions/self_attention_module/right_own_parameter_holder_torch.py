"""In another style: own Parameter holder."""

import torch
from torch import nn


class Matrix(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n, n))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x):
        return x @ self.weight.T


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (Matrix(d_model) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (f(x).unflatten(-1, (self.h, self.d)).movedim(2, 1) for f in (self.W_q, self.W_k, self.W_v))
        s = torch.matmul(q, k.mT) / self.d**0.5
        if mask is not None:
            s = torch.where(mask, s, torch.full((), torch.finfo(s.dtype).min, dtype=s.dtype))
        w = torch.softmax(s, -1)
        if mask is not None:
            w = torch.where(mask, w, 0.0)
        return self.W_o(torch.matmul(w, v).movedim(1, 2).flatten(2))
