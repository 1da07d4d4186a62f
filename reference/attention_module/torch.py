"""Self-attention with one head as a module: Vaswani et al. 2017, section 3.2.1."""

import math

import torch
from torch import nn


class Attention(nn.Module):
    """x (B, n, E) -> output (B, n, E), weights (B, n, n)."""

    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q = self.W_q(x)  # (B, n, E)
        k = self.W_k(x)  # (B, n, E)
        v = self.W_v(x)  # (B, n, E)

        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, n, n)
        weights = torch.softmax(scores, dim=-1)  # (B, n, n)
        output = weights @ v  # (B, n, E)
        return output, weights
