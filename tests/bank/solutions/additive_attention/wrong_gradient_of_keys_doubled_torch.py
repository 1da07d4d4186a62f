"""The gradient reaches the keys twice."""
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        q, k = self.W_q(queries)[:, :, None], self.W_k(2 * keys - keys.detach())[:, None]
        s = self.v(torch.tanh(q + k)).squeeze(-1)
        seen = torch.ones(len(keys), 1, keys.shape[1], dtype=torch.bool)
        if lengths is not None:
            seen = torch.arange(keys.shape[1]) < lengths[:, None, None]
        s = s.masked_fill(~seen, -1e30)
        w = torch.softmax(s, -1).masked_fill(~seen, 0.0)
        return w @ values, w
