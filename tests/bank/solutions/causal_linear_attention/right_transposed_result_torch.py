"""Puts the tokens last and returns a non-contiguous view."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k, v = (F.elu(q) + 1).mT, (F.elu(k) + 1).mT, v.mT
    kv = torch.cumsum(torch.einsum("bdn,ben->bden", k, v), dim=-1)
    out = torch.einsum("bdn,bden->ben", q, kv) / torch.einsum("bdn,bdn->bn", q, k.cumsum(-1))[:, None]
    return out.mT
