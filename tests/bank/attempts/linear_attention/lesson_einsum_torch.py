"""The code of the authors, without heads."""
# causes: none

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    Q = F.elu(q) + 1
    K = F.elu(k) + 1
    KV = torch.einsum("nsd,nsm->nmd", K, v)
    Z = 1 / (torch.einsum("nld,nd->nl", Q, K.sum(dim=1)) + 1e-6)
    return torch.einsum("nld,nmd,nl->nlm", Q, KV, Z)
