"""The bias is laid out diagonal by diagonal: every diagonal of the scores has one number a head."""
import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)
        self.reach = max_distance

    def forward(self, q, k, v, mask=None):
        n = q.shape[-2]
        bias = q.new_zeros(self.rel_pos_bias.embedding_dim, n, n)
        for offset in range(1 - n, n):
            row = min(max(offset, -self.reach), self.reach) + self.reach
            bias.diagonal(offset, -2, -1).copy_(self.rel_pos_bias.weight[row][:, None])
        logits = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5 + bias
        if mask is None:
            weights = torch.exp(logits - torch.logsumexp(logits, -1, keepdim=True))
        else:
            low = logits.masked_fill(~mask, torch.finfo(logits.dtype).min)
            weights = torch.exp(low - low.logsumexp(-1, keepdim=True)).masked_fill(~mask, 0)
        return weights @ v, weights
