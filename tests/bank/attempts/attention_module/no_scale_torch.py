"""Softmax of Q times K transposed."""
# causes: no_scale

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        weights = F.softmax(self.W_q(x) @ self.W_k(x).transpose(1, 2), dim=-1)
        return weights @ self.W_v(x), weights
