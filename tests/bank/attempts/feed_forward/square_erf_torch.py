"""0.044715 h^2, and erf of h."""
# causes: square_for_the_cube, erf_without_the_root

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
        h = self.W_in(x)
        if self.kind == "gelu":
            h = 0.5 * h * (1 + torch.erf(h))
        elif self.kind == "gelu_tanh":
            h = 0.5 * h * (1 + torch.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**2)))
        else:
            g = self.W_gate(x)
            h = g * torch.sigmoid(g) * h
        return self.W_out(h)
