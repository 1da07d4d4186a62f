"""Add the bias to the products, then divide."""
# causes: bias_before_scaling

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
        scores = (q @ k.transpose(-2, -1) + bias) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = F.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        return weights @ v, weights
