"""A buffer of indices that grows with the longest sequence and is cut for shorter ones."""
import math

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)
        self.register_buffer("index", torch.zeros(0, 0, dtype=torch.long), persistent=False)

    def forward(self, q, k, v, mask=None):
        n = q.size(2)
        if n > len(self.index):
            j = torch.arange(n)
            self.index = (j[None] - j[:, None]).clamp(-self.m, self.m) + self.m
        s = q @ k.mT / math.sqrt(q.size(-1)) + self.rel_pos_bias(self.index[:n, :n]).permute(2, 0, 1)
        if mask is None:
            mask = torch.ones(n, n, dtype=torch.bool)
        w = s.masked_fill(~mask, torch.finfo(s.dtype).min).softmax(-1) * mask
        return w @ v, w
