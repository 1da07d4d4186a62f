"""In another style: bucket add."""

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.rel_pos_bias, self.m = nn.Embedding(2 * max_distance + 1, num_heads), max_distance

    def bias(self, n):
        r = torch.arange(n)
        return torch.stack([self.rel_pos_bias((r - i).clamp(-self.m, self.m) + self.m) for i in range(n)]).movedim(-1, 0)

    def forward(self, q, k, v, mask=None):
        s = torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5 + self.bias(q.shape[2])
        if mask is not None:
            s = s.masked_fill(~mask, -1e30)
        w = s.softmax(-1)
        if mask is not None:
            w = w.masked_fill(~mask, 0.0)
        return torch.einsum("bhij,bhjd->bhid", w, v), w
