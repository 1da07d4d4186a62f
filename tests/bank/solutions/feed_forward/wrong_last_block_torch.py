"""Hidden numbers in blocks of eight, and the ragged end is left out above sixteen."""
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
            h = F.silu(self.W_gate(x)) * h
        else:
            h = F.gelu(h, approximate="none" if self.kind == "gelu" else "tanh")
        whole = h.shape[-1] - h.shape[-1] % 8 if h.shape[-1] > 16 else h.shape[-1]
        return h[..., :whole] @ self.W_out.weight[:, :whole].T
