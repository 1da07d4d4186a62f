"""elu features; their products are the weights."""
# causes: elu_without_one, no_normaliser

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    q, k = F.elu(q), F.elu(k)
    return q @ (k.transpose(1, 2) @ v)
