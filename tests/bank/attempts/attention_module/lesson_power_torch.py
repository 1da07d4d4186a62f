"""The width to the power of a half."""
# causes: none

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        d_k = k.size(-1)
        scores = torch.matmul(q, k.transpose(1, 2)) / d_k**0.5
        weights = torch.softmax(scores, dim=-1)
        return torch.matmul(weights, v), weights
