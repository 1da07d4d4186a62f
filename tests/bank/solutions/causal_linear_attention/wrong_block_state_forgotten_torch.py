"""Works in blocks of 64 and starts each block with an empty summary, so a block does not see the blocks before it."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    rows = []
    for qb, kb, vb in zip(q.split(64, 1), k.split(64, 1), v.split(64, 1)):
        near = (qb @ kb.mT).tril()
        rows.append(near @ vb / near.sum(-1, keepdim=True))
    return torch.cat(rows, dim=1)
