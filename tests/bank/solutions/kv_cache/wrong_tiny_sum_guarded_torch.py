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


class CachedAttention(nn.Module):
    """New tokens x (B, n, E), cache of P earlier tokens -> output (B, n, E), cache of P + n."""

    def __init__(self, d_model, num_heads=1):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        n, E = x.shape[1:]
        H, D = self.num_heads, E // self.num_heads

        q = split_heads(self.W_q(x), H)  # (B, H, n, D)
        k = split_heads(self.W_k(x), H)  # (B, H, n, D)
        v = split_heads(self.W_v(x), H)  # (B, H, n, D)
        if cache is not None:
            past_k, past_v = cache  # (B, H, P, D)
            k = torch.cat([past_k, k], dim=2)  # (B, H, P + n, D)
            v = torch.cat([past_v, v], dim=2)  # (B, H, P + n, D)
        cache = (k, v)

        S = k.shape[2]
        visible = torch.ones(n, S, dtype=torch.bool).tril(diagonal=S - n)  # the last row sees all

        scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (B, H, n, S)
        scores = scores.masked_fill(~visible, -math.inf)
        weights = softmax(scores)
        heads = weights @ v  # (B, H, n, D)
        return self.W_o(merge_heads(heads)), cache


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
