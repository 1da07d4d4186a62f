"""Fill with minus infinity where the mask is True."""
# causes: polarity_inverted, hidden_row_nan

import math

import torch


def masked_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    padding_mask: torch.Tensor | None = None,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    L, S = q.size(1), k.size(1)
    scores = q @ k.mT / math.sqrt(q.size(-1))
    if padding_mask is not None:
        scores = scores.masked_fill(padding_mask[:, None, :], float("-inf"))
    if causal:
        scores = scores.masked_fill(torch.ones(L, S).triu(1 + S - L).bool(), float("-inf"))
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
