"""One GELU with tanh, and the gate on the wrong side."""
# causes: tanh_for_the_exact_one, gate_on_the_numbers

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
        if self.kind == "swiglu":
            return self.W_out(F.silu(self.W_in(x)) * self.W_gate(x))
        return self.W_out(F.gelu(self.W_in(x), approximate="tanh"))
