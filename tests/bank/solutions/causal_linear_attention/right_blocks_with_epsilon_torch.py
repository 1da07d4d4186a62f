"""A loop over blocks of 128 tokens: a small masked matrix inside, a carried state before, and an epsilon of 1e-6."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    state, total, rows = 0, 0, []
    for qb, kb, vb in zip(q.split(128, 1), k.split(128, 1), v.split(128, 1)):
        near = torch.tril(qb @ kb.mT)
        top, bottom = near @ vb, near.sum(-1, keepdim=True)
        if rows:
            top, bottom = top + qb @ state, bottom + qb @ total
        rows.append(top / (bottom + 1e-6))
        state = state + kb.mT @ vb
        total = total + kb.sum(1).unsqueeze(-1)
    return torch.cat(rows, dim=1)
