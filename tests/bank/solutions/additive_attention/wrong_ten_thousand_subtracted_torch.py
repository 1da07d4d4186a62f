import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        scores = self.v(features).squeeze(-1)
        if lengths is None:
            weights = scores.softmax(-1)
        else:
            mask = (torch.arange(scores.size(-1), device=scores.device)[None, :] < lengths[:, None])[:, None, :]
            mask = mask.to(scores.dtype)
            scores = scores + (1.0 - mask) * -10000.0
            weights = scores.softmax(-1) * mask
        return weights @ values, weights
