"""The formulas, by hand."""
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
        a = self.W_in(x)
        if self.kind == "gelu":
            a = a * (1 + torch.erf(a * 2**-0.5)) / 2
        elif self.kind == "gelu_tanh":
            a = a * (1 + torch.tanh((2 / math.pi) ** 0.5 * (a + 0.044715 * a * a * a))) / 2
        else:
            g = self.W_gate(x)
            a = a * g * torch.sigmoid(g)
        return self.W_out(a)
