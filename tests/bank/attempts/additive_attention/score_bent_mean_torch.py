"""tanh around the score, and the mean of the hidden layer."""
# causes: tanh_of_the_score, mean_of_the_hidden_layer

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        hidden = self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]
        scores = torch.tanh((hidden * self.v.weight[0]).mean(-1))
        real = torch.arange(keys.size(1)) < (
            keys.size(1) if lengths is None else lengths[:, None, None]
        )
        weights = torch.softmax(scores.masked_fill(~real, -1e30), dim=-1).masked_fill(~real, 0.0)
        return weights @ values, weights
