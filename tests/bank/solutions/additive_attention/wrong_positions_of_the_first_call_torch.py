# the positions of the keys are kept from the first call, whatever the number of keys of the next
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)
        self.position = None

    def forward(self, queries, keys, values, lengths=None):
        hidden = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        scores = self.v(hidden).squeeze(-1)
        if lengths is not None:
            if self.position is None:
                self.position = torch.arange(keys.shape[1])
            padded = (self.position >= lengths[:, None])[:, None, :]
            scores = scores.masked_fill(padded, float("-inf"))
            weights = torch.softmax(scores, dim=-1).masked_fill(padded, 0.0)
        else:
            weights = torch.softmax(scores, dim=-1)
        return torch.bmm(weights, values), weights
