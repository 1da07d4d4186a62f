"""A padding mask silences the padded queries too."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (m(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for m in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.shape[2] == 1:
                mask = mask & mask.mT
            s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        w = torch.softmax(s, -1)
        if mask is not None:
            w = w * mask
        return self.W_o((w @ v).transpose(1, 2).flatten(2))
