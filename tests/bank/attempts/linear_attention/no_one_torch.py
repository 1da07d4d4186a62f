"""The features are elu."""
# causes: elu_without_one

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    q, k = F.elu(q), F.elu(k)
    kv = torch.einsum("bnd,bnv->bdv", k, v)
    z = torch.einsum("bnd,bd->bn", q, k.sum(1))
    return torch.einsum("bnd,bdv->bnv", q, kv) / z.unsqueeze(-1)
