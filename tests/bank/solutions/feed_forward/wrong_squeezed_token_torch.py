"""A single token loses every axis of size one again, its own too if it is one number wide."""

import torch
import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model: int, hidden: int, kind: str = "gelu"):
        super().__init__()
        if kind not in {"gelu", "gelu_tanh", "swiglu"}:
            raise ValueError(f"kind must be gelu, gelu_tanh or swiglu, not {kind}")
        self.kind = kind
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_gate = nn.Linear(d_model, hidden, bias=False) if kind == "swiglu" else None
        self.W_out = nn.Linear(hidden, d_model, bias=False)

    def _tokens(self, rows: torch.Tensor) -> torch.Tensor:
        """(N, E) -> (N, E)"""
        up = self.W_in(rows)
        if self.W_gate is not None:
            return self.W_out(F.silu(self.W_gate(rows)) * up)
        form = "tanh" if self.kind == "gelu_tanh" else "none"
        return self.W_out(F.gelu(up, approximate=form))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() == 1:
            return self._tokens(x.unsqueeze(0)).squeeze()
        return self._tokens(x.flatten(0, -2)).unflatten(0, x.shape[:-1])
