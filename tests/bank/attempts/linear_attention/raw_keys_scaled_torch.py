"""Only queries are mapped, after the scale."""
# causes: raw_keys, scaled

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    a, b = F.elu(q / q.shape[-1] ** 0.5) + 1, k
    summary = b.transpose(1, 2).bmm(v)
    return a.bmm(summary) / ((a * b.sum(dim=1, keepdim=True)).sum(dim=-1, keepdim=True))
