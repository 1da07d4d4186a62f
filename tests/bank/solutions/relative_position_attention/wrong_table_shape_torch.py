"""Keeps the table as (num_heads, 2m + 1)."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(num_heads, 2 * max_distance + 1)

    def forward(self, q, k, v, mask=None):
        n = q.size(2)
        j = torch.arange(n)
        b = self.rel_pos_bias.weight[:, (j - j[:, None]).clamp(-self.m, self.m) + self.m]
        s = q @ k.mT / math.sqrt(q.size(3)) + b
        if mask is not None:
            s = s.masked_fill(~mask, -1e30)
        w = s.softmax(-1)
        if mask is not None:
            w = w * mask
        return w @ v, w
