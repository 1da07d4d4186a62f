"""Repeat both sides to a grid of pairs and concatenate nothing."""
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
        B, L, _ = queries.shape
        S = keys.shape[1]
        q = self.W_q(queries).unsqueeze(2).repeat(1, 1, S, 1)
        k = self.W_k(keys).unsqueeze(1).repeat(1, L, 1, 1)
        energy = self.v(torch.tanh(q + k)).reshape(B, L, S)
        if lengths is not None:
            mask = torch.zeros(B, 1, S, dtype=torch.bool)
            for b, n in enumerate(lengths.tolist()):
                mask[b, :, n:] = True
            energy = energy.masked_fill(mask, -1e30)
            weights = torch.softmax(energy, dim=2).masked_fill(mask, 0.0)
        else:
            weights = torch.softmax(energy, dim=2)
        return weights @ values, weights
