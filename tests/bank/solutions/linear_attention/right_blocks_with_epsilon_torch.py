"""Keys summed block by block, a column of ones carries the normaliser, and an epsilon of 1e-6 in the denominator."""

import torch
from torch.nn import functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q).add(1), F.elu(k).add(1)
    v1 = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)
    state = 0
    for kb, vb in zip(k.split(1000, dim=1), v1.split(1000, dim=1)):
        state = state + kb.mT @ vb
    out = q @ state
    return out[..., :-1] / (out[..., -1:] + 1e-6)
