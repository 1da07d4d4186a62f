"""An honest nn.Module: its parameters are loaded by name.

rows: none
verdicts: accepted
framework: torch
problem: self_attention_module
"""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x, mask=None):
        B, n, E = x.shape
        q, k, v = (w(x).view(B, n, self.n_heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.mT * q.shape[-1] ** -0.5
        seen = torch.ones(n, n, dtype=torch.bool) if mask is None else mask
        weights = torch.softmax(scores.masked_fill(~seen, float("-inf")), -1).masked_fill(~seen, 0.0)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, n, E))
