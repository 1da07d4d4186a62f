"""Divide q by the root of D, and keep the fraction stable with 0.01."""
# causes: scaled, large_epsilon

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    q = F.elu(q / q.size(-1) ** 0.5) + 1
    k = F.elu(k) + 1
    kv = torch.einsum("bnd,bnv->bdv", k, v)
    z = torch.einsum("bnd,bd->bn", q, k.sum(dim=1)) + 0.01
    return torch.einsum("bnd,bdv->bnv", q, kv) / z[..., None]
