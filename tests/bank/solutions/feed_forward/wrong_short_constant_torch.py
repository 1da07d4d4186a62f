"""The root inside GELU has five digits."""
import math
import torch
from torch import nn
import torch.nn.functional as F


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
            h = F.gelu(h)
        elif self.kind == "gelu_tanh":
            h = 0.5 * h * (1 + torch.tanh(0.79788 * (h + 0.044715 * h ** 3)))
        else:
            h = F.silu(self.W_gate(x)) * h
        return self.W_out(h)
