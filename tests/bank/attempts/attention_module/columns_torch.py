"""Softmax over dimension 1."""
# causes: softmax_over_queries

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.scale = d_model**-0.5
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = torch.softmax(q @ k.transpose(1, 2) * self.scale, dim=1)
        return weights @ v, weights
