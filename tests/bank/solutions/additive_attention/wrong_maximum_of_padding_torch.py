"""The maximum that is subtracted also runs over the padding."""
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
        e = torch.exp(s - s.amax(-1, keepdim=True))
        if lengths is not None:
            e = e * (torch.arange(keys.shape[1])[None] < lengths[:, None])[:, None, :]
        w = e / e.sum(-1, keepdim=True).clamp_min(torch.finfo(e.dtype).tiny)
        return w @ values, w
