"""where picks the branch."""
# causes: overflow_in_hidden_branch

import torch


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq = torch.where(q > 0, q + 1, torch.exp(q))
    fk = torch.where(k > 0, k + 1, torch.exp(k))
    kv = torch.einsum("bnd,bnv->bdv", fk, v)
    z = torch.einsum("bnd,bd->bn", fq, fk.sum(dim=1))
    return torch.einsum("bnd,bdv->bnv", fq, kv) / z[:, :, None]
