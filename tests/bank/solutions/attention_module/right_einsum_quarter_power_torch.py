"""Einsum; q and k each scaled by d^(1/4)."""
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
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        root = x.size(-1) ** 0.25
        w = torch.einsum("bie,bje->bij", q / root, k / root).softmax(2)
        return torch.einsum("bij,bje->bie", w, v), w
