"""Hidden scores become -10 000; rows with nothing to see are emptied afterwards."""
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
            s = s.masked_fill(~mask, -1e4)
        w = torch.softmax(s, -1)
        if mask is not None:
            w = w * mask.any(-1, keepdim=True)
        return self.W_o((w @ v).transpose(1, 2).flatten(2))
