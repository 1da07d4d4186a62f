"""Hidden scores become -10 000; rows with nothing to see are emptied afterwards."""
import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        i = torch.arange(q.shape[2])
        r = (i - i[:, None]).clamp(-self.m, self.m) + self.m
        s = q @ k.mT / q.shape[-1] ** 0.5 + self.rel_pos_bias(r).permute(2, 0, 1)
        if mask is not None:
            s = s.masked_fill(~mask, -1e4)
        w = torch.softmax(s, -1)
        if mask is not None:
            w = w * mask.any(-1, keepdim=True)
        return w @ v, w
