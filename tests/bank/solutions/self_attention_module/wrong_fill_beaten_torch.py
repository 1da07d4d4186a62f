"""Adds -1e4 to hidden scores, then zeroes blind rows, so that loud padding leaks."""
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
        if mask is None:
            return self.W_o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, n, E))
        s = s + (1 - mask.to(s.dtype)) * -1e4
        w = s.softmax(-1) * mask.any(-1, keepdim=True)
        return self.W_o((w @ v).transpose(1, 2).reshape(B, n, E))
