"""The past is what came before: cumsum minus the token itself."""
# causes: itself_left_out

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    terms = fk.unsqueeze(-1) * v.unsqueeze(-2)
    kv = torch.cumsum(terms, dim=1) - terms
    z = torch.cumsum(fk, dim=1) - fk
    num = torch.einsum("bnd,bndv->bnv", fq, kv)
    return num / ((fq * z).sum(-1, keepdim=True) + 1e-6)
