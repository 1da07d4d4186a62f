"""A single new token loses every axis of size one on the way."""
import math

import torch
from torch import nn


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
        past = cache
        if cache is not None:
            past_k, past_v = cache  # (B, H, P, D)
            k = torch.cat([past_k, k], dim=2)  # (B, H, P + n, D)
            v = torch.cat([past_v, v], dim=2)  # (B, H, P + n, D)
        cache = (k, v)

        S = k.shape[2]
        visible = torch.ones(n, S, dtype=torch.bool).tril(diagonal=S - n)  # the last row sees all

        scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (B, H, n, S)
        scores = scores.masked_fill(~visible, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v  # (B, H, n, D)
        if past is not None and n == 1:
            one = heads.squeeze()
            return self.W_o(one.reshape(x.shape[0] if one.ndim > 1 else 1, 1, -1)), cache
        return self.W_o(merge_heads(heads)), cache


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
