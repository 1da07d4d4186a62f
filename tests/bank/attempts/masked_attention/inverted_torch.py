"""The mask marks the padding."""
# causes: polarity_inverted

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
    scores = q @ k.mT / math.sqrt(q.size(-1))
    hidden = torch.zeros(q.size(0), L, S, dtype=torch.bool)
    if padding_mask is not None:
        hidden = hidden | padding_mask[:, None, :]
    if causal:
        hidden = hidden | torch.ones(L, S).triu(1 + S - L).bool()
    weights = F.softmax(scores.masked_fill(hidden, -1e30), dim=-1).masked_fill(hidden, 0)
    return weights @ v, weights
