"""Softmax over dim 1, padding at minus a billion."""
# causes: softmax_over_queries, empty_text_uniform

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        scores = self.v(torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]))[..., 0]
        if lengths is not None:
            padding = torch.arange(keys.size(1)) >= lengths[:, None, None]
            scores = scores.masked_fill(padding, -1e9)
        weights = torch.softmax(scores, dim=1)
        return weights @ values, weights
