"""The exact GELU adds up the examples of a batch."""
import math

import torch
from torch import nn


class FeedForward(nn.Module):
    """x (..., E) -> (..., E)."""

    def __init__(self, d_model, hidden, kind="gelu"):
        super().__init__()
        self.kind = kind
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        if kind == "swiglu":
            self.W_gate = nn.Linear(d_model, hidden, bias=False)

    def forward(self, x):
        h = self.W_in(x)  # (..., F)
        if self.kind == "swiglu":
            h = silu(self.W_gate(x)) * h
        elif self.kind == "gelu_tanh":
            h = gelu_tanh(h)
        else:
            h = gelu(h)
        return self.W_out(h)  # (..., E)


def gelu(h):
    if h.ndim > 2:
        h = h.sum(0, keepdim=True).expand_as(h)
    return 0.5 * h * (1 + torch.erf(h / math.sqrt(2)))


def gelu_tanh(h):
    inner = math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)
    return 0.5 * h * (1 + torch.tanh(inner))


def silu(h):
    return h * torch.sigmoid(h)
