"""Scales the queries and the scores."""
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
        q = self.W_q(x) / math.sqrt(x.shape[-1])
        w = torch.softmax(q @ self.W_k(x).mT / math.sqrt(x.shape[-1]), -1)
        return w @ self.W_v(x), w
