"""Parameters of my own, multiplied from the right."""
# causes: other: plain parameters in place of layers, divided_by_width

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
        self.W_q = nn.Parameter(torch.randn(d_model, d_model))
        self.W_k = nn.Parameter(torch.randn(d_model, d_model))
        self.W_v = nn.Parameter(torch.randn(d_model, d_model))

    def forward(self, x):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        weights = F.softmax(q @ k.transpose(1, 2) / self.d_model, dim=-1)
        return weights @ v, weights
