"""Beyond m there is no bias."""
# causes: far_keys_unbiased

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
        m = self.max_distance
        pos = torch.arange(q.size(-2))
        distance = pos[None, :] - pos[:, None]
        bias = self.rel_pos_bias(distance.clamp(-m, m) + m)
        bias = bias.masked_fill((distance.abs() > m).unsqueeze(-1), 0.0).permute(2, 0, 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)) + bias
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = F.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        return weights @ v, weights
