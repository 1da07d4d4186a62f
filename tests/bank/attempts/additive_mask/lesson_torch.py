"""The same in torch."""
# causes: none

import math

import torch
import torch.nn.functional as F


def self_attention_with_mask(
    x: torch.Tensor,
    w_q: torch.Tensor,
    w_k: torch.Tensor,
    w_v: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
