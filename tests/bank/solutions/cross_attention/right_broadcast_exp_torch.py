"""Broadcast products, exp and sum by hand with the maximum over the visible keys."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.h, self.d, self.p = num_heads, d_model // num_heads, dropout
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def heads(self, x):
        return x.unflatten(-1, (self.h, self.d)).transpose(1, 2)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q, k, v = self.heads(self.W_q(decoder_hidden)), self.heads(self.W_k(encoder_output)), self.heads(self.W_v(encoder_output))
        s = (q.unsqueeze(3) * k.unsqueeze(2)).sum(-1) / math.sqrt(self.d)
        m = torch.ones_like(s, dtype=torch.bool) if mask is None else mask[:, None].expand_as(s)
        top = s.masked_fill(~m, -1e30).max(-1, keepdim=True).values.detach()
        e = torch.where(m, (torch.where(m, s, top) - top).exp(), 0.0)
        w = e / e.sum(-1, keepdim=True).clamp(min=1e-30)
        z = (F.dropout(w, self.p, self.training).unsqueeze(-1) * v.unsqueeze(2)).sum(3)
        return self.W_o(z.transpose(1, 2).reshape(decoder_hidden.shape)), w
