"""Batches of 256 tokens, and one stacked product for both ways up."""

import torch
import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model: int, hidden: int, kind: str = "gelu"):
        super().__init__()
        names = ["W_in", "W_gate"] if kind == "swiglu" else ["W_in"]
        for name in names:
            setattr(self, name, nn.Linear(d_model, hidden, bias=False))
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        self._kind = kind

    def _few(self, tokens):
        if self._kind == "swiglu":
            both = tokens @ torch.cat((self.W_gate.weight, self.W_in.weight)).t()
            gate, up = both.tensor_split(2, dim=1)
            middle = torch.mul(F.silu(gate), up)
        else:
            mode = "tanh" if self._kind == "gelu_tanh" else "none"
            middle = F.gelu(tokens @ self.W_in.weight.t(), approximate=mode)
        return middle @ self.W_out.weight.t()

    def forward(self, x):
        tokens = x.reshape(-1, x.shape[-1])
        return torch.cat([self._few(t) for t in tokens.split(256)]).reshape(x.shape)
