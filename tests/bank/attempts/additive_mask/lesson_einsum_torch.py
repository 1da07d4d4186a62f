"""Einsum, and adding in place to my own scores."""
# causes: none

import torch


def self_attention_with_mask(
    x: torch.Tensor,
    w_q: torch.Tensor,
    w_k: torch.Tensor,
    w_v: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    q, k, v = (torch.einsum("ne,ed->nd", x, w) for w in (w_q, w_k, w_v))
    scores = torch.einsum("id,jd->ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores += mask
    weights = torch.softmax(scores, -1)
    return torch.einsum("ij,jd->id", weights, v), weights
