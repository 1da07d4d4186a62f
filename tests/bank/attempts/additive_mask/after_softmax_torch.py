"""Add the mask to the weights."""
# causes: mask_added_to_weights

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
    weights = F.softmax(q @ k.T / math.sqrt(q.size(-1)), dim=-1)
    if mask is not None:
        weights = weights + mask
    return weights @ v, weights
