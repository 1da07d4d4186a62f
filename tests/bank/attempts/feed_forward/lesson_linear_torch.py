"""F.linear with the weights; the normal distribution's cdf."""
# causes: none

import math

import torch
import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, hidden, kind="gelu"):
        super().__init__()
        self.kind = kind
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        if kind == "swiglu":
            self.W_gate = nn.Linear(d_model, hidden, bias=False)

    def forward(self, x):
        h = F.linear(x, self.W_in.weight)
        if self.kind == "gelu":
            h = h * torch.special.ndtr(h)
        elif self.kind == "gelu_tanh":
            h = h * torch.sigmoid(math.sqrt(8 / math.pi) * (h + 0.044715 * h.pow(3)))
        else:
            h = h * F.silu(F.linear(x, self.W_gate.weight))
        return F.linear(h, self.W_out.weight)
