"""My own names for the layers."""
# causes: other: other names of parameters

import math

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.query = nn.Linear(d_model, d_model, bias=False)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.value = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        weights = F.softmax(q @ k.transpose(1, 2) / math.sqrt(q.size(-1)), dim=-1)
        return weights @ v, weights
