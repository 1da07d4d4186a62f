"""j - i + m is the row, minus infinity hides."""
# causes: not_clamped, blind_row_nan

import math

import torch
import torch.nn.functional as F
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        pos = torch.arange(q.size(-2))
        index = pos[None, :] - pos[:, None] + self.max_distance
        bias = self.rel_pos_bias(index).permute(2, 0, 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)) + bias
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        return weights @ v, weights
