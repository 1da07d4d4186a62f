"""Right values, and every query meets every key: blocks of 400 queries fit into memory, and take far too long."""

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k, v = F.elu(q) + 1, F.elu(k) + 1, F.pad(v, (0, 1), value=1.0)
    both = torch.cat([(block @ k.mT) @ v for block in q.split(400, dim=1)], dim=1)
    return both[..., :-1] / both[..., -1:]
