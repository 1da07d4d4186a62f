"""One maximum serves a query in all heads."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        for n in "qkvo":
            setattr(self, f"W_{n}", nn.Linear(d_model, d_model, bias=False))

    def forward(self, x, mask=None):
        q, k, v = (m(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for m in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / q.size(-1) ** 0.5
        ok = torch.ones(1, 1, 1, 1, dtype=torch.bool) if mask is None else mask
        top = s.masked_fill(~ok, torch.finfo(s.dtype).min).amax((1, 3), keepdim=True).detach()
        e = (s - top).masked_fill(~ok, -torch.inf).exp()
        a = e / e.sum(-1, keepdim=True).clamp(min=1e-38)
        return self.W_o((a @ v).transpose(1, 2).flatten(-2))
