"""The features are elu."""
# causes: elu_without_one

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q), F.elu(k)
    kv = (fk.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(dim=1)
    num = (fq.unsqueeze(-1) * kv).sum(dim=2)
    return num / (fq * fk.cumsum(dim=1)).sum(dim=-1, keepdim=True)
