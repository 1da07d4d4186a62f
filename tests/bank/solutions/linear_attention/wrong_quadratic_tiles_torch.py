"""Right values, and every query meets every key: tiles of 1024 queries by 1024 keys, as a fused kernel would do for a softmax."""

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k, v = F.elu(q) + 1, F.elu(k) + 1, F.pad(v, (0, 1), value=1.0)
    rows = []
    for a in q.split(1024, dim=1):
        rows.append(sum((a @ b.mT) @ c for b, c in zip(k.split(1024, dim=1), v.split(1024, dim=1))))
    both = torch.cat(rows, dim=1)
    return both[..., :-1] / both[..., -1:]
