"""A loop over the heads."""
# causes: none

import math

import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    heads = []
    for h in range(q1.shape[1]):
        maps = []
        for q, k in ((q1[:, h], k1[:, h]), (q2[:, h], k2[:, h])):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
            maps.append(torch.softmax(scores, dim=-1))
        heads.append(torch.bmm(maps[0] - lam[h] * maps[1], v[:, h]))
    return torch.stack(heads, dim=1)
