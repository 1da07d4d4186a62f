"""Tokens as a table, and back."""
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
        rows = x.reshape(-1, x.shape[-1])
        h = rows @ self.W_in.weight.T
        if self.kind == "swiglu":
            h = F.silu(rows @ self.W_gate.weight.T) * h
        elif self.kind == "gelu":
            h = h * torch.distributions.Normal(0.0, 1.0).cdf(h)
        else:
            h = F.gelu(h, approximate="tanh")
        return (h @ self.W_out.weight.T).reshape(x.shape)
