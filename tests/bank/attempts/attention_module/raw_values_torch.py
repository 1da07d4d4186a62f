"""The values are the tokens."""
# causes: values_not_projected

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
        scores = self.W_q(x) @ self.W_k(x).transpose(1, 2) / x.size(-1) ** 0.5
        weights = F.softmax(scores, dim=-1)
        return weights @ x, weights
