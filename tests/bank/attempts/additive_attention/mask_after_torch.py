"""Softmax first, then the padding gets 0."""
# causes: hidden_after_the_softmax

import torch
import torch.nn.functional as F
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        weights = F.softmax(self.v(features).squeeze(-1), dim=-1)
        if lengths is not None:
            real = torch.arange(keys.size(1))[None, None] < lengths[:, None, None]
            weights = weights * real
        return weights @ values, weights
