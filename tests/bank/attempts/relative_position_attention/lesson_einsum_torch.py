"""Einsum, and a mask that multiplies the weights."""
# causes: none

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        n = q.shape[2]
        i = torch.arange(n).unsqueeze(1)
        j = torch.arange(n).unsqueeze(0)
        r = torch.clamp(j - i, min=-self.max_distance, max=self.max_distance) + self.max_distance
        bias = self.rel_pos_bias.weight[r]
        scores = torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5
        scores = scores + torch.einsum("ijh->hij", bias)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e30)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights * mask
        return torch.einsum("bhij,bhjd->bhid", weights, v), weights
