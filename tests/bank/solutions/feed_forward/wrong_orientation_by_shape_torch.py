"""A weight is transposed if its shape asks for it: a square one never is."""

import torch
import torch.nn.functional as F
from torch import nn


def _mix(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    if weight.shape[0] != x.shape[-1]:
        weight = weight.t()
    return torch.matmul(x, weight)


class FeedForward(nn.Module):
    def __init__(self, d_model: int, hidden: int, kind: str = "gelu"):
        super().__init__()
        if kind not in ("gelu", "gelu_tanh", "swiglu"):
            raise ValueError(f"unknown kind: {kind}")
        self.kind = kind
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        if kind == "swiglu":
            self.W_gate = nn.Linear(d_model, hidden, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = _mix(x, self.W_in.weight)
        if self.kind == "gelu":
            h = F.gelu(h)
        elif self.kind == "gelu_tanh":
            h = F.gelu(h, approximate="tanh")
        else:
            h = F.silu(_mix(x, self.W_gate.weight)) * h
        return _mix(h, self.W_out.weight)
