"""elu + 1 and two matrix products."""
# causes: none

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    q = F.elu(q) + 1
    k = F.elu(k) + 1
    kv = torch.matmul(k.transpose(1, 2), v)
    z = torch.matmul(q, k.sum(dim=1).unsqueeze(-1))
    return torch.matmul(q, kv) / z
