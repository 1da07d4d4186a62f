"""Divide by the root of d_model, mask with minus infinity."""
# causes: scale_of_model_width, blind_row_nan

import math

import torch
import torch.nn.functional as F
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.scale = math.sqrt(d_model)
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        pos = torch.arange(q.size(-2))
        r = (pos[None, :] - pos[:, None]).clamp(-self.max_distance, self.max_distance)
        scores = q @ k.mT / self.scale
        scores = scores + self.rel_pos_bias(r + self.max_distance).permute(2, 0, 1)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        return weights @ v, weights
