"""A table with 2m rows."""
# causes: other: the table has 2m rows, blind_row_nan

import math

import torch
import torch.nn.functional as F
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.m = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance, num_heads)

    def forward(self, q, k, v, mask=None):
        pos = torch.arange(q.size(-2))
        r = (pos[None, :] - pos[:, None]).clamp(-self.m, self.m - 1) + self.m
        scores = q @ k.mT / math.sqrt(q.size(-1)) + self.rel_pos_bias(r).permute(2, 0, 1)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        return weights @ v, weights
