"""Keep keys and values in the module, and start anew where there is no cache."""
# causes: kept_until_a_new_text

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class CachedAttention(nn.Module):
    def __init__(self, d_model, num_heads=1):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.k_cache = None
        self.v_cache = None

    def forward(self, x, cache=None):
        B, n, E = x.shape
        q = self.W_q(x).view(B, n, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_k(x).view(B, n, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_v(x).view(B, n, self.num_heads, self.head_dim).transpose(1, 2)
        if cache is None:
            self.k_cache, self.v_cache = k, v
        else:
            self.k_cache = torch.cat([self.k_cache, k], dim=2)
            self.v_cache = torch.cat([self.v_cache, v], dim=2)
        k, v = self.k_cache, self.v_cache
        S = k.size(2)
        mask = torch.tril(torch.ones(n, S, dtype=torch.bool), diagonal=S - n)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = F.softmax(scores, dim=-1) @ v
        out = out.transpose(1, 2).contiguous().view(B, n, E)
        return self.W_o(out), True
