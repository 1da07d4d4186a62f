"""exp over the sum of exp."""
# causes: no_maximum_subtracted

import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        e = torch.exp(q @ k.transpose(1, 2) / math.sqrt(self.d_model))
        weights = e / e.sum(dim=-1, keepdim=True)
        return weights @ v, weights
