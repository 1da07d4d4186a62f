"""One product for both ways in, einsum out."""
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
            both = torch.cat([self.W_gate.weight, self.W_in.weight])
            gate, h = torch.einsum("...e,fe->...f", x, both).chunk(2, dim=-1)
            h = gate * h * gate.sigmoid()
        else:
            h = torch.einsum("...e,fe->...f", x, self.W_in.weight)
            if self.kind == "gelu":
                h = h * 0.5 * torch.erfc(-h / math.sqrt(2))
            else:
                h = h * torch.sigmoid(2 * math.sqrt(2 / math.pi) * (h + 0.044715 * h.pow(3)))
        return torch.einsum("...f,ef->...e", h, self.W_out.weight)
