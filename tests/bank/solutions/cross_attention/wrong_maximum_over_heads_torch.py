"""One maximum serves a query in all heads."""
import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.H, self.p = num_heads, dropout

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q, k, v = (t.unflatten(-1, (self.H, -1)).transpose(1, 2) for t in (self.W_q(decoder_hidden), self.W_k(encoder_output), self.W_v(encoder_output)))
        s = q @ k.mT / q.shape[-1] ** 0.5
        ok = torch.ones(1, 1, 1, s.shape[-1], dtype=torch.bool) if mask is None else mask[:, None]
        top = s.masked_fill(~ok, torch.finfo(s.dtype).min).amax((1, 3), keepdim=True).detach()
        e = torch.exp((s - top).masked_fill(~ok, -torch.inf))
        w = e / e.sum(-1, keepdim=True).clamp(min=1e-37)
        return self.W_o((F.dropout(w, self.p, self.training) @ v).transpose(1, 2).flatten(2)), w
