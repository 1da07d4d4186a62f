"""With lengths, texts are worked out one by one; nothing is worked out where all are empty."""
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        hidden = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        scores = self.v(hidden).squeeze(-1)
        if lengths is None:
            weights = torch.softmax(scores, dim=-1)
            return weights @ values, weights
        if lengths.max() == 0:
            return values.new_zeros(*queries.shape[:2], values.shape[2]), torch.zeros_like(scores.detach())
        weights = torch.zeros_like(scores)
        for b, length in enumerate(lengths.tolist()):
            if length:
                weights[b, :, :length] = torch.softmax(scores[b, :, :length], dim=-1)
        weights = weights.to(values.dtype)
        return weights @ values, weights
