"""Bias, then the root, then -1e9 for hidden keys."""
# causes: bias_before_scaling, blind_row_uniform

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
        bias = torch.einsum("ijh->hij", self.rel_pos_bias(r + self.max_distance))
        scores = (torch.einsum("bhid,bhjd->bhij", q, k) + bias) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        weights = F.softmax(scores, dim=-1)
        return torch.einsum("bhij,bhjd->bhid", weights, v), weights
