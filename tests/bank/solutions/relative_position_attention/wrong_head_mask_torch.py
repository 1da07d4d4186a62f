"""A mask whose third size is 1 is taken for one of all heads, also (B, H, 1, n)."""

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        n, D = q.shape[-2:]
        places = torch.arange(n)
        rows = (places[None, :] - places[:, None]).clamp(-self.max_distance, self.max_distance)
        s = q @ k.transpose(-1, -2) / D ** 0.5
        s = s + self.rel_pos_bias(rows + self.max_distance).permute(2, 0, 1)
        if mask is not None:
            if mask.dim() == 4 and mask.shape[2] == 1:  # key padding
                mask = mask[:, 0, 0][:, None, None, :]
            s = s.masked_fill(~mask, -1e30)
        w = torch.softmax(s, dim=-1)
        if mask is not None:
            w = w.masked_fill(~mask, 0.0)
        return w @ v, w
