"""Wrong: keys of a longer call are left in the buffer, and are seen without a mask."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.kv = None

    def forward(self, x, mask=None):
        B, T, C = x.shape
        q, k, v = (w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        if self.kv is not None and self.kv[0].shape[0] == B and self.kv[0].shape[2] > T and mask is None:
            k = torch.cat((k, self.kv[0][:, :, T:]), 2)
            v = torch.cat((v, self.kv[1][:, :, T:]), 2)
        self.kv = (k.detach(), v.detach())
        s = q @ k.mT / (C // self.h) ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        a = s.softmax(-1)
        if mask is not None:
            a = a * mask
        return self.W_o((a @ v).transpose(1, 2).reshape(B, T, C))
