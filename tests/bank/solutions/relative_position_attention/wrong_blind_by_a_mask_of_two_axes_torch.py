"""A row that sees nothing becomes zeros where the mask has four axes, and NaN where it has two."""

import math

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    """q, k, v (B, H, n, D), boolean mask broadcastable to (B, H, n, n) -> output (B, H, n, D),
    weights (B, H, n, n).
    """

    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        n, D = q.shape[-2:]
        if mask is None:
            mask = torch.ones(n, n, dtype=torch.bool)

        position = torch.arange(n)
        distance = position[None, :] - position[:, None]  # (n, n), j - i
        index = distance.clamp(-self.max_distance, self.max_distance) + self.max_distance
        bias = self.rel_pos_bias(index).permute(2, 0, 1)  # (H, n, n)

        scores = q @ k.transpose(-2, -1) / math.sqrt(D) + bias  # (B, H, n, n)
        scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        weights = weights.masked_fill(~mask, 0.0) if mask.dim() == 4 else weights  # a row with no visible key becomes 0
        output = weights @ v  # (B, H, n, D)
        return output, weights
