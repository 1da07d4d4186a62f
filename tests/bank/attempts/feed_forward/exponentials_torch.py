"""tanh and the sigmoid by exponentials."""
# causes: tanh_of_exponentials, sigmoid_of_exponentials

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
            h = h * 0.5 * (1 + torch.erf(h / math.sqrt(2)))
        elif self.kind == "gelu_tanh":
            z = math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)
            h = 0.5 * h * (1 + (z.exp() - (-z).exp()) / (z.exp() + (-z).exp()))
        else:
            g = self.W_gate(x)
            h = g * (g.exp() / (1 + g.exp())) * h
        return self.W_out(h)
