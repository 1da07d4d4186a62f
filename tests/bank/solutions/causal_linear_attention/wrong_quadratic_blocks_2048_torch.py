"""Right values, and every token meets all before it: blocks of 2048 queries, each with its keys in blocks too."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k, v = F.elu(q) + 1, F.elu(k) + 1, F.pad(v, (0, 1), value=1.0)
    parts = [x.split(2048, dim=1) for x in (q, k, v)]
    rows = []
    for i, a in enumerate(parts[0]):
        total = (a @ parts[1][i].mT).tril() @ parts[2][i]
        for b, c in zip(parts[1][:i], parts[2][:i]):
            total = total + (a @ b.mT) @ c
        rows.append(total)
    both = torch.cat(rows, dim=1)
    return both[..., :-1] / both[..., -1:]
