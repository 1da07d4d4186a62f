"""float64 inside, cast back."""
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
        w = {name: p.double() for name, p in self.named_parameters()}
        y = x.double()
        h = y @ w["W_in.weight"].T
        if self.kind == "swiglu":
            h = F.silu(y @ w["W_gate.weight"].T) * h
        else:
            h = F.gelu(h, approximate="none" if self.kind == "gelu" else "tanh")
        return (h @ w["W_out.weight"].T).to(x.dtype)
