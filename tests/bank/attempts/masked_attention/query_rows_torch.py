"""Padded positions neither ask nor answer."""
# causes: other: padded queries see nothing

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
    keep = torch.ones(q.size(0), L, S, dtype=torch.bool)
    if padding_mask is not None:
        keep = keep & padding_mask[:, None, :]
        if L == S:
            keep = keep & padding_mask[:, :, None]
    if causal:
        keep = keep & torch.ones(L, S).tril(S - L).bool()
    scores = scores.masked_fill(~keep, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1) * keep
    return weights @ v, weights
