"""Project, add, score."""
# causes: no_tanh

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
        q = self.W_q(queries).unsqueeze(2)
        k = self.W_k(keys).unsqueeze(1)
        scores = self.v(q + k).squeeze(-1)
        if lengths is None:
            lengths = torch.full((keys.size(0),), keys.size(1))
        padding = torch.arange(keys.size(1)) >= lengths[:, None, None]
        scores = scores.masked_fill(padding, float("-inf"))
        weights = F.softmax(scores, dim=-1).masked_fill(padding, 0.0)
        return torch.bmm(weights, values), weights
