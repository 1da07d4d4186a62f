"""With lengths, texts are worked out one by one into buffers of float32."""
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
        weights = torch.zeros(scores.shape)
        for b, length in enumerate(lengths.tolist()):
            if length:
                weights[b, :, :length] = torch.softmax(scores[b, :, :length], dim=-1)
        weights = weights.to(values.dtype)
        return weights @ values, weights
