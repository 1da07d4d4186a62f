"""Query after query."""
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
        keys_hidden = self.W_k(keys)
        outputs, maps = [], []
        for i in range(queries.shape[1]):
            hidden = torch.tanh(self.W_q(queries[:, i : i + 1]) + keys_hidden)
            e = self.v(hidden).squeeze(2)
            if lengths is not None:
                real = torch.arange(keys.shape[1]) < lengths.unsqueeze(1)
                e = torch.where(real, e, torch.finfo(e.dtype).min)
            a = torch.softmax(e, dim=1)
            if lengths is not None:
                a = a * real
            maps.append(a)
            outputs.append((a.unsqueeze(2) * values).sum(dim=1))
        return torch.stack(outputs, dim=1), torch.stack(maps, dim=1)
