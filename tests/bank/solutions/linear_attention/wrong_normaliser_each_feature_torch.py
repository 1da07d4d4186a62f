"""Divides the summary by the sum of the keys feature by feature, before the queries read it."""

import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = k.transpose(1, 2) @ v / k.sum(dim=1).unsqueeze(-1)
    return q @ kv / q.sum(dim=-1, keepdim=True)
