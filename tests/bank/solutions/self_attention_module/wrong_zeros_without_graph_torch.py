# wrong: a mask that hides everything returns new zeros at once; nothing in them leads back to x and the weights, so backward raises instead of giving finite gradients
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
        return t.reshape(*t.shape[:2], self.n_heads, -1).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = (self.split(layer(x)) for layer in (self.W_q, self.W_k, self.W_v))
        if mask is not None and not mask.any():
            return torch.zeros_like(x)
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1) * mask
        return self.W_o((w @ v).transpose(1, 2).reshape(x.shape))
