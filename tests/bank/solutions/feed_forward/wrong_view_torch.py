"""Breaks "Takes views: x may be non-contiguous": flattens the tokens with view(-1, E).
Shows at x of shape (B, n, E) made by transpose(0, 1): view raises."""
import torch
import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model: int, hidden: int, kind: str = "gelu"):
        super().__init__()
        self.kind = kind
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        if kind == "swiglu":
            self.W_gate = nn.Linear(d_model, hidden, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shape = x.shape
        x = x.view(-1, shape[-1])
        h = self.W_in(x)
        if self.kind == "gelu":
            h = F.gelu(h)
        elif self.kind == "gelu_tanh":
            h = F.gelu(h, approximate="tanh")
        else:
            h = F.silu(self.W_gate(x)) * h
        return self.W_out(h).view(shape)
