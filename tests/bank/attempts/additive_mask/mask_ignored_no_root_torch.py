"""Softmax of Q K transposed, times V."""
# causes: mask_ignored, no_scale

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
    weights = F.softmax(q @ k.T, dim=-1)
    return weights @ v, weights
