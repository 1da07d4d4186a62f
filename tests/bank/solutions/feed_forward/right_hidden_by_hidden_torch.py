"""The hidden numbers one at a time."""
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
        out = torch.zeros_like(x)
        for j in range(self.W_in.weight.shape[0]):
            h = x @ self.W_in.weight[j]
            if self.kind == "swiglu":
                h = h * F.silu(x @ self.W_gate.weight[j])
            else:
                h = F.gelu(h, approximate={"gelu": "none"}.get(self.kind, "tanh"))
            out = out + h[..., None] * self.W_out.weight[:, j]
        return out
