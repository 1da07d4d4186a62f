"""Prefix sums above, the total below."""
import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    a, b = F.elu(q) + 1, F.elu(k) + 1
    s = (b[..., None] * v[:, :, None]).cumsum(1)
    return torch.einsum("bnd,bndv->bnv", a, s) / torch.einsum("bnd,bd->bn", a, b.sum(1))[..., None]
