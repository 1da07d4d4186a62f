"""An epsilon of 1e-2 keeps the fraction stable."""
# causes: large_epsilon

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = k.transpose(1, 2) @ v
    return q @ kv / (q @ k.sum(dim=1).unsqueeze(-1) + 1e-2)
