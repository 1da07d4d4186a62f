"""bmm and a softmax layer."""
# causes: none

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        self.softmax = nn.Softmax(dim=2)

    def forward(self, x):
        q = self.W_q(x)
        k = self.W_k(x)
        v = self.W_v(x)
        weights = self.softmax(torch.bmm(q, k.transpose(1, 2)) / x.size(2) ** 0.5)
        return torch.bmm(weights, v), weights
