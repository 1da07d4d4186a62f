"""Positions and lengths are kept in one byte, which ends at 127."""
import math
import torch
from torch import nn
import torch.nn.functional as F


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        s = self.v(torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None])).squeeze(-1)
        if lengths is None:
            w = s.softmax(-1)
        else:
            pos = torch.arange(keys.shape[1]).to(torch.int8)
            mask = (pos[None] < lengths.to(torch.int8)[:, None])[:, None, :]
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1) * mask
        return w @ values, w
