# wrong: row numbers are kept in uint8; with max_distance of 128 or more, rows above 255 wrap round to the other end of the table
import math

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        n, m = q.shape[2], self.max_distance
        at = torch.arange(n, device=q.device)
        rows = ((at - at[:, None]).clamp(-m, m) + m).to(torch.uint8)  # n * n bytes, not 8 n * n
        bias = self.rel_pos_bias(rows.int()).permute(2, 0, 1)
        s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + bias
        if mask is not None:
            s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        w = torch.softmax(s, dim=-1)
        if mask is not None:
            w = w * mask
        return w @ v, w
