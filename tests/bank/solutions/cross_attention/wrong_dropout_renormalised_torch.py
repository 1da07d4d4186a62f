"""Normalises each row again after dropout."""
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
        s = q @ k.mT / math.sqrt(self.d)
        if mask is not None:
            s = s.masked_fill(~mask[:, None], -1e30)
        w = s.softmax(-1)
        if mask is not None:
            w = w * mask[:, None]
        u = F.dropout(w, self.p, self.training)
        u = u / u.sum(-1, keepdim=True).clamp(min=1e-9)
        return self.W_o((u @ v).transpose(1, 2).flatten(2)), w
