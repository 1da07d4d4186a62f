"""Weights are for looking at; the layer divides by E."""
# causes: returned_weights_detached, divided_by_width

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
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = F.softmax(q @ k.transpose(1, 2) / q.size(-1), dim=-1)
        return weights @ v, weights.detach()
