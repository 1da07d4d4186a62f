"""Queries read from the running summary."""
# causes: no_normaliser

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.cumsum(torch.einsum("bnd,bnv->bndv", fk, v), dim=1)
    return torch.einsum("bnd,bndv->bnv", fq, kv)
