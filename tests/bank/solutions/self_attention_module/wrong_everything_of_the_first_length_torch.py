# a mask of all True is kept from the first call without a mask, whatever the length of the next
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        n = x.shape[1]
        if mask is None:
            if not hasattr(self, "_all"):
                self._all = torch.ones(n, n, dtype=torch.bool)
            mask = self._all
        q, k, v = (self.split(layer(x)) for layer in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        w = s.masked_fill(~mask, float("-inf")).softmax(-1).masked_fill(~mask, 0)
        return self.W_o((w @ v).transpose(1, 2).flatten(2))
