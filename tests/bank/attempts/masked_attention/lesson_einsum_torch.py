"""Einsum, and one mask for both conditions."""
# causes: none

import torch


def masked_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    padding_mask: torch.Tensor | None = None,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    L, S = q.shape[1], k.shape[1]
    scores = torch.einsum("bld,bsd->bls", q, k) / q.shape[-1] ** 0.5
    keep = torch.ones_like(scores, dtype=torch.bool)
    if padding_mask is not None:
        keep = keep & padding_mask[:, None, :]
    if causal:
        keep = keep & (torch.arange(S)[None, :] <= torch.arange(L)[:, None] + S - L)
    empty = ~keep.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~(keep | empty), float("-inf"))
    weights = torch.softmax(scores, dim=-1).masked_fill(empty, 0.0)
    return torch.einsum("bls,bsv->blv", weights, v), weights
