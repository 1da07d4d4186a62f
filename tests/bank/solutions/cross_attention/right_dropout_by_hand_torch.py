"""Dropout by hand with a Bernoulli mask, dtype minimum as the fill, q and k each scaled by d^(1/4)."""
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
        q = self.heads(self.W_q(decoder_hidden)) / self.d**0.25
        k = self.heads(self.W_k(encoder_output)) / self.d**0.25
        v = self.heads(self.W_v(encoder_output))
        s = q @ k.mT
        if mask is not None:
            m = mask.unsqueeze(1)
            w = torch.softmax(torch.where(m, s, torch.finfo(s.dtype).min), -1) * m
        else:
            w = torch.softmax(s, -1)
        used = w
        if self.training and self.p > 0:
            keep = torch.bernoulli(torch.full_like(w, 1 - self.p))
            used = w * keep / (1 - self.p)
        return self.W_o((used @ v).transpose(1, 2).flatten(2)), w
