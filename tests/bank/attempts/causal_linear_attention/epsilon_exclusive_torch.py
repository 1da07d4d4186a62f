"""Strictly the past, and an epsilon for the first row."""
# causes: itself_left_out, large_epsilon

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    terms = fk.unsqueeze(-1) * v.unsqueeze(-2)
    kv = terms.cumsum(1) - terms
    z = fk.cumsum(1) - fk
    return torch.einsum("bnd,bndv->bnv", fq, kv) / ((fq * z).sum(-1, keepdim=True) + 1e-2)
