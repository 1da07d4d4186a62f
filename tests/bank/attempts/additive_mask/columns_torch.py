"""Rows of the mask are keys."""
# causes: mask_transposed

import math

import torch


def self_attention_with_mask(
    x: torch.Tensor,
    w_q: torch.Tensor,
    w_k: torch.Tensor,
    w_v: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = torch.einsum("id,jd->ij", q, k) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores + mask.T
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
