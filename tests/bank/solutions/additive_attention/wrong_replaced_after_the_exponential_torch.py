# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    """queries (B, L, Dq), keys (B, S, Dk), values (B, S, Dv), lengths (B,) -> output (B, L, Dv),
    weights (B, L, S).
    """

    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        q = self.W_q(queries)[:, :, None]  # (B, L, 1, hidden)
        k = self.W_k(keys)[:, None]  # (B, 1, S, hidden)
        scores = self.v(torch.tanh(q + k))[..., 0]  # (B, L, S)

        position = torch.arange(keys.shape[1])
        if lengths is None:
            lengths = torch.tensor([keys.shape[1]])
        real = (position < lengths[:, None])[:, None]  # (B, 1, S)
        top = scores.masked_fill(~(real), -math.inf).amax(dim=-1, keepdim=True)
        top = torch.where(torch.isneginf(top), 0.0, top).detach()
        exp = torch.where(real, torch.exp(scores - top), 0.0)
        total = exp.sum(dim=-1, keepdim=True)
        weights = exp / torch.where(total == 0, 1.0, total)
        return weights @ values, weights
