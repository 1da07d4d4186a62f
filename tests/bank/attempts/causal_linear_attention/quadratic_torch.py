"""A triangle over all pairs."""
# causes: masked_matrix|too_many_steps

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    w = torch.tril(fq @ fk.transpose(1, 2))
    return (w @ v) / w.sum(dim=-1, keepdim=True)
