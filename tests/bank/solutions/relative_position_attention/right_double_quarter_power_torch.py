"""float64 inside, q and k scaled by d^(1/4), a constant added per row, results cast back and non-contiguous."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        kind = q.dtype
        q, k, v = q.double(), k.double(), v.double()
        n, d = q.shape[-2:]
        i = torch.arange(n)
        r = (i[None] - i[:, None]).clamp(min=-self.m, max=self.m).add(self.m)
        b = self.rel_pos_bias.weight.double()[r].movedim(-1, 0)
        s = (q / d**0.25) @ (k / d**0.25).mT + b + i[:, None].double()
        if mask is not None:
            s = s.masked_fill(mask.logical_not(), -1e300)
        w = torch.softmax(s, dim=-1)
        if mask is not None:
            w = w * mask
        out = (v.mT @ w.mT).mT
        return out.to(kind), w.to(kind)
