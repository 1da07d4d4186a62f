"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import torch
from torch import nn


def softmax(s):
    m = s.detach().amax(dim=-1, keepdim=True)
    hidden = m == -math.inf
    size = torch.where(s > -1e30, s.abs(), torch.zeros_like(s)).max()
    m = torch.where((size <= 60) | hidden, torch.zeros_like(m), m)
    e = torch.exp(s - m)
    return e / torch.where(hidden, 1, e.sum(dim=-1, keepdim=True) + 1e-9)


class SelfAttention(nn.Module):
    """x (B, n, E), boolean mask broadcastable to (B, H, n, n) -> (B, n, E)."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        n, E = x.shape[1:]
        H, D = self.n_heads, E // self.n_heads
        if mask is None:
            mask = torch.ones(n, n, dtype=torch.bool)

        q = split_heads(self.W_q(x), H)  # (B, H, n, D)
        k = split_heads(self.W_k(x), H)  # (B, H, n, D)
        v = split_heads(self.W_v(x), H)  # (B, H, n, D)

        scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (B, H, n, n)
        scores = scores.masked_fill(~mask, -math.inf)
        weights = softmax(scores)
        weights = weights.masked_fill(~mask, 0.0)  # a row with no visible key becomes 0

        heads = weights @ v  # (B, H, n, D)
        return self.W_o(merge_heads(heads))  # (B, n, E)


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
