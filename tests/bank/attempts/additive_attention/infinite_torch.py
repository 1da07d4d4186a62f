"""Minus infinity hides the padding."""
# causes: empty_text_nan

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        hidden = torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None])
        scores = self.v(hidden).squeeze(-1)
        if lengths is not None:
            padding = torch.arange(keys.size(1)) >= lengths[:, None, None]
            scores = scores.masked_fill(padding, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        return weights @ values, weights
