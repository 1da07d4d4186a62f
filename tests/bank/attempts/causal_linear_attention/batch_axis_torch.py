"""cumsum over the first dimension."""
# causes: summed_over_the_batch

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.cumsum(fk.unsqueeze(-1) * v.unsqueeze(-2), dim=0)
    z = torch.cumsum(fk, dim=0)
    return torch.einsum("bnd,bndv->bnv", fq, kv) / (fq * z).sum(-1, keepdim=True)
