"""Axis 1 is where I normalise, and key number length is still a real one."""
# causes: softmax_over_queries, one_word_too_many

import torch
from torch import nn


def masked_softmax(scores, keep):
    low = torch.finfo(scores.dtype).min
    filled = torch.where(keep, scores, torch.full_like(scores, low))
    p = torch.softmax(filled, dim=1)
    return p * keep.to(p.dtype)


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        B, L, _ = queries.shape
        S = keys.shape[1]
        q_part = self.W_q(queries).view(B, L, 1, -1)
        k_part = self.W_k(keys).view(B, 1, S, -1)
        scores = self.v(torch.tanh(q_part + k_part)).view(B, L, S)
        keep = torch.ones(B, L, S, dtype=torch.bool, device=keys.device)
        if lengths is not None:
            keep = keep & (
                torch.arange(S, device=keys.device)[None, None] <= lengths[:, None, None]
            )
            keep = keep & (lengths[:, None, None] > 0)
        weights = masked_softmax(scores, keep)
        return torch.matmul(weights, values), weights
