"""Each row of the bias is a slice of one long list of distances."""

import math

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        self.m = int(max_distance)
        self.rel_pos_bias = nn.Embedding(2 * self.m + 1, num_heads)

    def _by_distance(self, n):
        table = self.rel_pos_bias.weight
        far = n - 1 - self.m  # how often the outermost rows come besides once, on each side
        if far <= 0:
            return table[-far : table.shape[0] + far]
        return torch.cat((table[:1].expand(far, -1), table, table[-1:].expand(far, -1)))

    def forward(self, q, k, v, mask=None):
        n = q.shape[2]
        lined_up = self._by_distance(n)
        rows = [lined_up[n - 1 - i : 2 * n - 1 - i] for i in range(n)]
        bias = torch.stack(rows).permute(2, 0, 1)
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.shape[3]) + bias
        if mask is None:
            e = torch.exp(scores - scores.detach().amax(-1, keepdim=True))
        else:
            low = torch.full((), -math.inf, dtype=scores.dtype)
            top = torch.where(mask, scores.detach(), low).amax(-1, keepdim=True)
            top = top.masked_fill(top == -math.inf, 0.0)
            e = torch.exp(torch.where(mask, scores - top, low))
        total = e.sum(-1, keepdim=True)
        weights = e / total.masked_fill(total == 0, 1.0)
        return torch.einsum("bhij,bhjd->bhid", weights, v), weights.detach()
