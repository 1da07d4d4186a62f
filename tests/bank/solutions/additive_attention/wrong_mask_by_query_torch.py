"""The lengths belong to queries if there are as many as examples."""
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
        if lengths is None:
            w = s.softmax(-1)
            return w @ values, w
        real = torch.arange(keys.shape[1]) < lengths[:, None]
        if s.shape[0] != s.shape[1]:
            real = real[:, None]
        w = s.masked_fill(~real, torch.finfo(s.dtype).min).softmax(-1) * real
        return w @ values, w
