"""The formulas by hand: erfc, and a sigmoid of twice the argument for (1 + tanh) / 2."""

import math

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model: int, hidden: int, kind: str = "gelu"):
        super().__init__()
        if kind not in ("gelu", "gelu_tanh", "swiglu"):
            raise ValueError(f"unknown kind {kind!r}")
        self.kind = kind
        if kind == "swiglu":
            self.W_gate = nn.Linear(d_model, hidden, bias=False)
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)

    def _open(self, x, h):
        """The number between 0 and 1 that each number is multiplied by, and that number."""
        if self.kind == "gelu":
            return h * (0.5 * torch.erfc(h * -math.sqrt(0.5)))
        if self.kind == "gelu_tanh":
            cubic = h * (1 + 0.044715 * h * h)
            return h * torch.sigmoid(2 * math.sqrt(2 / math.pi) * cubic)
        g = x @ self.W_gate.weight.mT
        return g * torch.sigmoid(g) * h

    def forward(self, x):
        h = x @ self.W_in.weight.mT
        return self._open(x, h) @ self.W_out.weight.mT
