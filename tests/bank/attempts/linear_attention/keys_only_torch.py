"""phi is for the keys."""
# causes: raw_queries

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    k = F.elu(k) + 1
    kv = k.transpose(1, 2) @ v
    z = q @ k.sum(dim=1).unsqueeze(-1)
    return q @ kv / z
