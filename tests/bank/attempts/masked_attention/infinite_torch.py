"""masked_fill with minus infinity, then softmax."""
# causes: hidden_row_nan

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
    scores = q @ k.transpose(1, 2) / math.sqrt(q.size(-1))
    if padding_mask is not None:
        scores = scores.masked_fill(padding_mask.unsqueeze(1) == 0, float("-inf"))
    if causal:
        future = torch.ones(L, S).triu(1 + S - L).bool()
        scores = scores.masked_fill(future, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights
