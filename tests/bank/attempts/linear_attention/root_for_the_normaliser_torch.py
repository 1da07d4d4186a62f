"""Divided by the square root of D, as in softmax attention."""
# causes: no_normaliser

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    kv = fk.transpose(1, 2) @ v
    z = fk.sum(1)
    den = torch.einsum("bnd,bd->bn", fq, z)
    return (fq @ kv) / q.shape[-1] ** 0.5
