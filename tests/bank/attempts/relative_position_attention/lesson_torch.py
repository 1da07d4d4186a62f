"""Look up a bias for each pair and add it to the scaled scores."""
# causes: none

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
        n = q.size(-2)
        pos = torch.arange(n)
        distance = pos[None, :] - pos[:, None]
        index = distance.clamp(-self.max_distance, self.max_distance) + self.max_distance
        bias = self.rel_pos_bias(index).permute(2, 0, 1).unsqueeze(0)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1)) + bias
        if mask is not None:
            scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
        weights = F.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(mask == 0, 0.0)
        return torch.matmul(weights, v), weights
