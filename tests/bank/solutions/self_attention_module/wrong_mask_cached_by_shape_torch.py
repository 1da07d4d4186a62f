"""A mask is remembered by its shape."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.H = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        B, n, E = x.shape
        q, k, v = (f(x).view(B, n, self.H, -1).transpose(1, 2) for f in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            mask = self.__dict__.setdefault("kept", {}).setdefault(mask.shape, mask)
        if mask is None:
            mask = torch.ones(n, n, dtype=torch.bool)
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        top = s.amax(-1, keepdim=True)
        e = torch.exp(s - top) * mask
        t = e.sum(-1, keepdim=True)
        w = e / torch.where(t > 0, t, 1)
        o = (w @ v).transpose(1, 2).reshape(B, n, E)
        return self.W_o(o)
