"""One maximum serves a query in all examples."""
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        s = self.v(torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]))[..., 0]
        s = s - s.amax((0, 2), keepdim=True)
        e = s.exp()
        if lengths is not None:
            e = e * (torch.arange(keys.shape[1]) < lengths[:, None, None])
        w = e / e.sum(-1, keepdim=True).clamp(min=1e-38)
        return w @ values, w
