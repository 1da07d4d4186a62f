"""nn.Linear as it comes."""
# causes: layers_with_a_bias

import math

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = F.softmax(q @ k.transpose(1, 2) / math.sqrt(self.d_model), dim=-1)
        return weights @ v, weights
