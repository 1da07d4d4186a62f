"""The products as einsum."""
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
        scores = torch.einsum("bid,bjd->bij", q, k) * q.shape[-1] ** -0.5
        weights = scores.softmax(dim=-1)
        return torch.einsum("bij,bjd->bid", weights, v), weights
