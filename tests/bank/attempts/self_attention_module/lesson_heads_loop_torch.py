"""One head after the other."""
# causes: none

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        heads = []
        for h in range(self.n_heads):
            cols = slice(h * self.d_head, (h + 1) * self.d_head)
            scores = q[..., cols] @ k[..., cols].transpose(1, 2) / math.sqrt(self.d_head)
            if mask is not None:
                keep = mask[:, 0]
                scores = torch.where(keep, scores, torch.finfo(scores.dtype).min)
            weights = torch.softmax(scores, dim=-1)
            if mask is not None:
                weights = torch.where(keep, weights, 0.0)
            heads.append(weights @ v[..., cols])
        return self.W_o(torch.cat(heads, dim=-1))
