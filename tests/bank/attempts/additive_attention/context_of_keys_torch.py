"""As in the paper, the context is a mean of the keys."""
# causes: keys_averaged

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        scores = self.v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)))
        scores = scores.squeeze(-1)
        if lengths is not None:
            padding = torch.arange(keys.size(1))[None, None] >= lengths[:, None, None]
            scores = scores.masked_fill(padding, -1e30)
            weights = torch.softmax(scores, dim=-1).masked_fill(padding, 0.0)
        else:
            weights = torch.softmax(scores, dim=-1)
        return torch.bmm(weights, keys), weights
