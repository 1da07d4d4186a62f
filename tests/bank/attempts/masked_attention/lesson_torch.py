"""masked_fill, softmax, and zero where nothing is seen."""
# causes: none

import math

import torch
import torch.nn.functional as F


def masked_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    padding_mask: torch.Tensor | None = None,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    L, S = q.size(1), k.size(1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    mask = torch.ones(L, S, dtype=torch.bool, device=q.device)
    if causal:
        mask = torch.tril(mask, diagonal=S - L)
    mask = mask.unsqueeze(0)
    if padding_mask is not None:
        mask = mask & padding_mask.unsqueeze(1)
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return torch.matmul(weights, v), weights
