"""Padding keeps its values, which are finite: a weight of 0 takes them out."""

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        scores = self.v(torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]))[..., 0]
        if lengths is not None:
            real = (torch.arange(keys.shape[1]) < lengths[:, None])[:, None]
            scores = scores.masked_fill(~real, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        return weights @ values, weights
