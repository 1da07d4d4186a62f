"""Runs forward without recording the graph."""
import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    @torch.no_grad()
    def forward(self, x):
        w = torch.softmax(self.W_q(x) @ self.W_k(x).mT / math.sqrt(x.shape[-1]), -1)
        return w @ self.W_v(x), w
