"""relu is a simpler feature."""
# causes: relu_features

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    q, k = F.relu(q), F.relu(k)
    kv = k.transpose(1, 2) @ v
    z = q @ k.sum(dim=1).unsqueeze(-1)
    return q @ kv / (z + 1e-6)
