"""Attention with features in place of exp."""
# causes: matrix_first|too_many_steps, scaled

import math

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    q = F.elu(q / math.sqrt(q.size(-1))) + 1
    k = F.elu(k) + 1
    weights = q @ k.transpose(-2, -1)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ v
