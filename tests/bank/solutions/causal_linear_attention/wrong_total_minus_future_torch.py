"""Subtracts the future from the total, which large entries of the future do not survive in float32."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = k.unsqueeze(-1) * v.unsqueeze(-2)
    later = lambda x: x.flip(1).cumsum(1).flip(1) - x
    memory, total = kv.sum(1, keepdim=True) - later(kv), k.sum(1, keepdim=True) - later(k)
    return torch.einsum("bnd,bnde->bne", q, memory) / (q * total).sum(-1, keepdim=True)
