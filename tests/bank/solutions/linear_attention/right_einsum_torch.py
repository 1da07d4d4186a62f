"""Einsum throughout."""

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.einsum("bnd,bne->bde", k, v)
    z = torch.einsum("bnd,bd->bn", q, k.sum(dim=1))
    return torch.einsum("bnd,bde->bne", q, kv) / z[..., None]
