"""GELU is cut off at 9 000."""

import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, d_model, hidden, kind="gelu"):
        super().__init__()
        self.W_in, self.W_out = (
            nn.Linear(d_model, hidden, bias=False),
            nn.Linear(hidden, d_model, bias=False),
        )
        if kind == "swiglu":
            self.W_gate = nn.Linear(d_model, hidden, bias=False)
        self.kind = kind

    def forward(self, x):
        h = self.W_in(x)
        if self.kind == "swiglu":
            g = self.W_gate(x)
            return self.W_out(g / (1 + torch.exp(-g.clamp(-80, 1e9))) * h)
        if self.kind == "gelu_tanh":
            return self.W_out(0.5 * h * (1 + torch.tanh(0.7978845608 * (h + 0.044715 * h**3))))
        return self.W_out(F.gelu(h.clamp(max=9000.0)))
