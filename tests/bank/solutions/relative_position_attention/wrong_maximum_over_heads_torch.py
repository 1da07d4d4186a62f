"""One maximum serves a query in all heads."""
import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)
        self.m = max_distance

    def forward(self, q, k, v, mask=None):
        n = q.shape[2]
        i = torch.arange(n)
        b = self.rel_pos_bias((i[None] - i[:, None]).clamp(-self.m, self.m) + self.m).permute(2, 0, 1)
        s = q @ k.mT * q.size(-1) ** -0.5 + b
        ok = torch.ones(1, 1, 1, 1, dtype=torch.bool) if mask is None else mask
        top = s.masked_fill(~ok, torch.finfo(s.dtype).min).amax((1, 3), keepdim=True).detach()
        e = (s - top).masked_fill(~ok, -torch.inf).exp()
        w = e / (e.sum(-1, keepdim=True).clamp(min=1e-38))
        return w @ v, w
