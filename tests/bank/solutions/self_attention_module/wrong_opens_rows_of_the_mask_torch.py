"""Wrong: "x and the mask are the same after the call". Rows that see nothing are opened in place in the mask of the caller (and raise where the mask
is expanded); a mask without such a row stays as it is."""
import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        B, n, E = x.shape
        H = self.n_heads
        D = E // H
        q, k, v = (w(x).reshape(B, n, H, D).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(-1, -2) / math.sqrt(D)
        if mask is None:
            y = torch.softmax(scores, dim=-1) @ v
        else:
            empty = ~mask.any(dim=-1, keepdim=True)
            if empty.any():
                mask.logical_or_(empty)
            a = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
            y = (a @ v).masked_fill(empty, 0)
        return self.W_o(y.transpose(1, 2).reshape(B, n, E))
