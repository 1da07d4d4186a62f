"""Keeps the table of indices (not of biases) for each length."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    index = {}

    def forward(self, q, k, v, mask=None):
        n = q.size(2)
        if (n, self.m) not in self.index:
            j = torch.arange(n)
            self.index[n, self.m] = torch.clip(j.view(1, n) - j.view(n, 1), -self.m, self.m) + self.m
        bias = self.rel_pos_bias(self.index[n, self.m]).permute(2, 0, 1).unsqueeze(0)
        s = torch.matmul(q, k.transpose(2, 3)).div(math.sqrt(q.size(3))).add(bias)
        if mask is None:
            w = s.softmax(3)
        else:
            s = s.masked_fill(~mask, -1e30)
            e = torch.exp(s - s.amax(3, keepdim=True)).masked_fill(~mask, 0)
            w = e / e.sum(3, keepdim=True).clamp_min(1e-30)
        return w.matmul(v), w
