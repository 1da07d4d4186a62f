"""Each text is cut to its length, so nothing needs to be hidden."""
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        B, S = keys.shape[:2]
        rows = []
        for b in range(B):
            n = S if lengths is None else int(lengths[b])
            hidden = torch.tanh(self.W_q(queries[b])[:, None] + self.W_k(keys[b, :n]))
            weights = torch.softmax(self.v(hidden).squeeze(-1), dim=-1)
            rows.append(torch.cat([weights, weights.new_zeros(len(weights), S - n)], dim=-1))
        weights = torch.stack(rows)
        return weights @ values, weights
