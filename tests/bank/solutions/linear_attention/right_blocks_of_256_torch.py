"""Blocks of 256 tokens: once to sum keys and values up, once to answer. The last block is shorter."""

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k, v = F.elu(q) + 1, F.elu(k) + 1, F.pad(v, (0, 1), value=1.0)
    memory = sum(b.mT @ c for b, c in zip(k.split(256, dim=1), v.split(256, dim=1)))
    both = torch.cat([a @ memory for a in q.split(256, dim=1)], dim=1)
    return both[..., :-1] / both[..., -1:]
