"""The heads side by side are the output."""
# causes: no_output_projection

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
        q, k, v = (w(x).unflatten(-1, (self.n_heads, -1)) for w in (self.W_q, self.W_k, self.W_v))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / self.d_head**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0)
        return torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2)
