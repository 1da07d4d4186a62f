"""-1e9 for hidden keys."""
# causes: blind_row_uniform

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
        r = (pos[None, :] - pos[:, None]).clamp(-self.max_distance, self.max_distance)
        bias = self.rel_pos_bias(r + self.max_distance).permute(2, 0, 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)) + bias
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        weights = F.softmax(scores, dim=-1)
        return weights @ v, weights
