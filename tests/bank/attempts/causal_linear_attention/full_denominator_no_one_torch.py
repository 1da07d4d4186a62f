"""elu features, running sums above, all keys below."""
# causes: total_normaliser, elu_without_one

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q), F.elu(k)
    kv = torch.cumsum(fk.unsqueeze(-1) * v.unsqueeze(-2), dim=1)
    num = torch.einsum("bnd,bndv->bnv", fq, kv)
    den = torch.einsum("bnd,bd->bn", fq, fk.sum(dim=1))
    return num / den.unsqueeze(-1)
