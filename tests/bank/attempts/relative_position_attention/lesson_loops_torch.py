"""The index of each pair in two loops."""
# causes: none

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        n, m = q.size(2), self.max_distance
        index = torch.zeros(n, n, dtype=torch.long)
        for i in range(n):
            for j in range(n):
                index[i, j] = min(max(j - i, -m), m) + m
        scores = q @ k.transpose(2, 3) / q.size(-1) ** 0.5
        scores = scores + self.rel_pos_bias(index).permute(2, 0, 1)
        if mask is None:
            weights = scores.softmax(dim=-1)
        else:
            empty = ~mask.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~(mask | empty), float("-inf"))
            weights = scores.softmax(dim=-1).masked_fill(empty, 0.0)
        return weights @ v, weights
