"""Each distance is looked up once, and unfold spreads them over the rows."""

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def bias(self, n):
        m = self.max_distance
        distance = torch.arange(1 - n, n, device=self.rel_pos_bias.weight.device)
        by_distance = self.rel_pos_bias(distance.clamp(-m, m) + m).t()  # (H, 2n - 1)
        return by_distance.unfold(1, n, 1).flip(1)

    def forward(self, q, k, v, mask=None):
        n, width = q.shape[-2:]
        scores = torch.matmul(q * width ** -0.5, k.transpose(-2, -1)) + self.bias(n)
        if mask is not None:
            hidden = ~mask
            blind = hidden.all(dim=-1, keepdim=True)
            scores = scores.masked_fill(hidden, float("-inf")).masked_fill(blind, 0.0)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(hidden, 0.0)
        return torch.matmul(weights, v), weights
