"""Linear layers and a softmax."""
# causes: layers_with_a_bias, no_scale

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)

    def forward(self, x):
        weights = F.softmax(self.W_q(x) @ self.W_k(x).mT, dim=-1)
        return weights @ self.W_v(x), weights
