"""exp of the scores minus their logsumexp."""
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
        s = self.W_q(x).matmul(self.W_k(x).mT).div(math.sqrt(x.shape[-1]))
        w = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
        return w.matmul(self.W_v(x)), w
