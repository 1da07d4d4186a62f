"""A single hidden number has no gate."""
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
        if self.kind == "swiglu":
            gate = self.W_gate(x)
            h = F.silu(gate) * h if h.shape[-1] > 1 else gate * h
        else:
            h = F.gelu(h, approximate="none" if self.kind == "gelu" else "tanh")
        return self.W_out(h)
