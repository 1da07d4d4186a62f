"""Softplus instead of elu + 1: also positive, also smooth, and not the same."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.softplus(q), F.softplus(k)
    kv = (k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(1)
    return torch.einsum("bnd,bnde->bne", q, kv) / (q * k.cumsum(1)).sum(-1, keepdim=True)
