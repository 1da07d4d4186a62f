# the biases worked out once for a length are kept, with the graph they came from
import math

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)
        self._bias = {}

    def forward(self, q, k, v, mask=None):
        n = q.shape[2]
        if (n, q.dtype) not in self._bias:
            places = torch.arange(n)
            rows = (places[None, :] - places[:, None]).clamp(-self.max_distance, self.max_distance)
            bias = self.rel_pos_bias(rows + self.max_distance).permute(2, 0, 1)
            self._bias[n, q.dtype] = bias
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + self._bias[n, q.dtype]
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        return weights @ v, weights
