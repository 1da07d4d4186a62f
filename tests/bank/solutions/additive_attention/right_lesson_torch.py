"""Broadcast, tanh, last layer; where with minus infinity, and nan_to_num for empty texts."""
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        scores = self.v(features).squeeze(-1)
        if lengths is not None:
            mask = torch.arange(keys.size(1))[None, None, :] >= lengths[:, None, None]
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        if lengths is not None:
            weights = weights.masked_fill(mask, 0)
        return torch.bmm(weights, values), weights
