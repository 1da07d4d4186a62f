"""In another style: multiplicative inverse."""

import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.p, self.H = dropout, num_heads
        for n in "qkvo":
            setattr(self, "W_" + n, nn.Linear(d_model, d_model, bias=False))

    def forward(self, decoder_hidden, encoder_output, mask=None):
        f = lambda w, x: w(x).unflatten(-1, (self.H, -1))
        q, k, v = f(self.W_q, decoder_hidden), f(self.W_k, encoder_output), f(self.W_v, encoder_output)
        s = torch.einsum("blhd,bshd->bhls", q, k) / q.shape[-1] ** 0.5
        see = torch.ones_like(s, dtype=torch.bool) if mask is None else mask[:, None].expand_as(s)
        w = torch.softmax(s.masked_fill(~see, -torch.inf), -1).masked_fill(~see, 0)
        used = w
        if self.training:
            keep = torch.empty_like(w).uniform_() > self.p
            used = torch.where(keep, w * (1.0 / (1.0 - self.p)), torch.zeros_like(w))
        return self.W_o(torch.einsum("bhls,bshd->blhd", used, v).flatten(2)), used
