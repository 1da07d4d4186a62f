"""The last layer as a weighted sum."""
# causes: none

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        hidden = torch.tanh(self.W_q(queries)[:, :, None, :] + self.W_k(keys)[:, None, :, :])
        scores = (hidden * self.v.weight[0]).sum(-1)
        real = torch.ones(keys.shape[:2], dtype=torch.bool)
        if lengths is not None:
            real = torch.arange(keys.shape[1]).expand(keys.shape[:2]) < lengths[:, None]
        scores = scores.masked_fill(~real[:, None], -1e38)
        weights = torch.softmax(scores, -1) * real[:, None]
        return weights @ values, weights
