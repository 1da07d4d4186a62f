"""Sum keys and values once."""
# causes: total

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    kv = fk.transpose(1, 2) @ v
    return fq @ kv / (fq @ fk.sum(dim=1).unsqueeze(-1))
