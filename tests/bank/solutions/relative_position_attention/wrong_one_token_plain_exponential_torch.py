"""With a single token a plain exponential."""
import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        n, D = q.shape[-2:]
        p = torch.arange(n)
        bias = self.rel_pos_bias((p - p[:, None]).clamp(-self.m, self.m) + self.m).permute(2, 0, 1)
        s = q @ k.mT / D**0.5 + bias
        if mask is None:
            mask = torch.ones(n, n, dtype=torch.bool)
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        top = s.amax(-1, keepdim=True)
        e = torch.exp(s - (top if n > 1 else 0)) * mask
        t = e.sum(-1, keepdim=True)
        w = e / torch.where(t > 0, t, 1)
        return w @ v, w
