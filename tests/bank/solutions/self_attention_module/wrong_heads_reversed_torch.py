"""Concatenates the heads from the last to the first."""
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
        q, k, v = (w(x).view(B, n, self.n_heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask, -1e30)
        w = s.softmax(-1)
        if mask is not None:
            w = w * mask
        return self.W_o((w @ v).flip(1).transpose(1, 2).reshape(B, n, E))
