"""Right values, and every token meets all before it: blocks of 100 queries with the keys up to their end, half of all pairs."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k, v = F.elu(q) + 1, F.elu(k) + 1, F.pad(v, (0, 1), value=1.0)
    rows, start = [], 0
    for block in q.split(100, dim=1):
        end = start + block.shape[1]
        rows.append((block @ k[:, :end].mT).tril(start) @ v[:, :end])
        start = end
    both = torch.cat(rows, dim=1)
    return both[..., :-1] / both[..., -1:]
