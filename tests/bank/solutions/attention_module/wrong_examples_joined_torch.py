"""Attends over the tokens of the whole batch and cuts each example's block out afterwards."""
import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, n, E = x.shape
        flat = x.reshape(B * n, E)
        w = torch.softmax(self.W_q(flat) @ self.W_k(flat).T / math.sqrt(E), -1)
        out = w @ self.W_v(flat)
        return out.reshape(B, n, E), torch.stack([w[b * n : b * n + n, b * n : b * n + n] for b in range(B)])
