"""Root of x.shape[1], and weights with their result."""
# causes: scale_of_sequence_length, results_exchanged

import math

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
        weights = F.softmax(q @ k.transpose(1, 2) / math.sqrt(x.shape[1]), dim=-1)
        return weights, weights @ v
