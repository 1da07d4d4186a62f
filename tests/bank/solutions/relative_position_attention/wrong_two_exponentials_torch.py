# wrong: exp(score) and exp(bias) are taken apart, each with a maximum of its own; scores of +-5000 with a bias that evens them out underflow, and a visible row becomes zeros
import math

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        n = q.shape[2]
        at = torch.arange(n, device=q.device)
        bias = self.rel_pos_bias((at - at[:, None]).clamp(-self.m, self.m) + self.m).permute(2, 0, 1)
        s = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.shape[-1])
        b = bias.expand_as(s)
        if mask is not None:
            low = torch.finfo(s.dtype).min
            s, b = s.masked_fill(~mask, low), b.masked_fill(~mask, low)
        e = torch.exp(s - s.amax(-1, keepdim=True).detach())
        e = e * torch.exp(b - b.amax(-1, keepdim=True).detach())
        if mask is not None:
            e = e * mask
        total = e.sum(-1, keepdim=True)
        w = e / (total + (total == 0))
        return w @ v, w
